"""The layer that `building_blocks.layer` built, as a resource of a stack."""

import os

from aws_cdk import IgnoreMode
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from stacks.building_blocks.layer import LAYER, STAMP, LayerError, is_built


class Layer(lambda_.LayerVersion):
    """Third-party packages for every function. Raises LayerError when build/layer is missing or out of date."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        if not is_built():
            raise LayerError("build/layer is missing or out of date; run: make layer")
        super().__init__(
            scope,
            construct_id,
            description="Third-party packages of the functions (pure Python)",
            code=lambda_.Code.from_asset(
                os.path.relpath(LAYER), exclude=[STAMP, "__pycache__", "*.pyc"], ignore_mode=IgnoreMode.GIT
            ),
            compatible_runtimes=[lambda_.Runtime.PYTHON_3_13],
            compatible_architectures=[lambda_.Architecture.ARM_64],
        )
