"""What the platform team and each team see in CloudWatch."""
