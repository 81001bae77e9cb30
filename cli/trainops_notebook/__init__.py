"""For notebooks: a team's settings as arguments of the SageMaker SDK or boto3, and requests checked before any call.

from trainops_notebook import defaults, validate

job = defaults(team="vision", experiment="anchors-7", instance_type="ml.g5.xlarge", spot=True)
Estimator(image_uri=image, **job.estimator())            # SageMaker SDK v2
ModelTrainer(training_image=image, **job.model_trainer())  # SageMaker SDK v3
sagemaker.create_training_job(TrainingJobName=..., AlgorithmSpecification=..., **job.request())  # boto3
validate(request, team="vision")
"""

from trainops.domain.findings import Finding
from trainops.domain.team_facts import TeamFacts, UnreadableFacts
from trainops_notebook.job_defaults import JobDefaults
from trainops_notebook.making import RequestRefused, defaults
from trainops_notebook.model_trainer import SdkMissing
from trainops_notebook.owners import OwnerUnknown
from trainops_notebook.recommended import RecommendationsUnknown
from trainops_notebook.team_parameter import TeamUnknown, team_facts
from trainops_notebook.validation import validate

__all__ = [
    "Finding",
    "JobDefaults",
    "OwnerUnknown",
    "RecommendationsUnknown",
    "RequestRefused",
    "SdkMissing",
    "TeamFacts",
    "TeamUnknown",
    "UnreadableFacts",
    "defaults",
    "team_facts",
    "validate",
]
