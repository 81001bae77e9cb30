"""AWS on this machine, for tests and demonstrations; the product never imports this package."""
