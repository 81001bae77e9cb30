"""The same day of training jobs through this project, a bare EventBridge rule and Cloud Custodian: `make compare`."""
