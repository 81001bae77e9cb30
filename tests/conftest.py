"""Settings for every test: no real credentials or Region from outside, and no time limit on a busy machine."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("trainops", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("trainops")

for name in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[name]
os.environ |= {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "trainops",
}
