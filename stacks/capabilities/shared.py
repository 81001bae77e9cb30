"""What every capability is given."""

from dataclasses import dataclass

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Runtime
from stacks.foundation_stack import FoundationStack
from stacks.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The state to work on, the choices people made, what functions run on, and where alarms are made."""

    foundation: FoundationStack
    settings: Settings
    runtime: Runtime
    alarms: Alarms
