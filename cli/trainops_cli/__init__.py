"""The command line `trainops`, for the people who run the platform and those who train on it."""
