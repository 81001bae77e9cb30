"""The owner of a job, when nobody says, is the person behind the credentials, and where that comes from is said."""

import json
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from trainops_notebook.job_defaults import Owner
from trainops_notebook.owners import OwnerUnknown, owner_of

HERE = Path("/nowhere")


class Session:
    """A session whose clients give the stubbed answers."""

    def __init__(self, **answers: dict[str, Any]) -> None:
        self._clients = {}
        for name, answer in answers.items():
            service = "sagemaker" if name == "describe_space" else "sts"
            client: Any = boto3.client(service)  # type: ignore[call-overload]
            stub = Stubber(client)
            stub.add_client_error(name, **answer) if "service_error_code" in answer else stub.add_response(name, answer)
            stub.activate()
            self._clients[service] = client

    def client(self, service: str) -> Any:
        return self._clients[service]


def of(arn: str) -> Owner:
    """The owner by an identity."""
    return owner_of(Session(get_caller_identity={"Arn": arn}), HERE)  # type: ignore[arg-type]


def studio(folder: Path, content: dict[str, str]) -> Path:
    """The metadata that Studio writes into its apps."""
    path = folder / "resource-metadata.json"
    path.write_text(json.dumps(content))
    return path


def test_single_sign_on_names_the_person_in_the_session() -> None:
    assert of("arn:aws:sts::111122223333:assumed-role/DataScientist/someone@example.com") == Owner(
        "someone@example.com", "the session name of your role"
    )


def test_an_iam_user_is_its_own_name() -> None:
    assert of("arn:aws:iam::111122223333:user/research/someone").name == "someone"


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws:iam::111122223333:root",
        "arn:aws:sts::111122223333:assumed-role/StudioRole/SageMaker",
        "arn:aws:sts::111122223333:assumed-role/Role/botocore-session-1732970000",
        "arn:aws:sts::111122223333:assumed-role/Role/i-0123456789abcdef0",
        "arn:aws:sts::111122223333:federated-user/x",
    ],
)
def test_a_machine_is_not_taken_for_a_person(arn: str) -> None:
    with pytest.raises(OwnerUnknown, match="pass owner="):
        of(arn)


def test_in_studio_it_is_the_user_profile_without_a_call(tmp_path: Path) -> None:
    metadata = studio(tmp_path, {"DomainId": "d-1", "UserProfileName": "someone"})
    assert owner_of(Session(), metadata) == Owner("someone", "the Studio user profile")  # type: ignore[arg-type]


def test_in_a_studio_space_it_is_the_spaces_owner(tmp_path: Path) -> None:
    metadata = studio(tmp_path, {"DomainId": "d-1", "SpaceName": "space"})
    session = Session(describe_space={"OwnershipSettings": {"OwnerUserProfileName": "someone"}})
    assert owner_of(session, metadata).name == "someone"  # type: ignore[arg-type]


def test_a_shared_space_has_no_owner_and_the_identity_is_asked(tmp_path: Path) -> None:
    metadata = studio(tmp_path, {"DomainId": "d-1", "SpaceName": "shared"})
    session = Session(describe_space={}, get_caller_identity={"Arn": "arn:aws:iam::111122223333:user/someone"})
    assert owner_of(session, metadata).name == "someone"  # type: ignore[arg-type]


def test_a_refused_question_says_what_to_pass(tmp_path: Path) -> None:
    metadata = studio(tmp_path, {"DomainId": "d-1", "SpaceName": "space"})
    session = Session(describe_space={"service_error_code": "AccessDeniedException"})
    with pytest.raises(OwnerUnknown, match=r"AccessDeniedException.*pass owner="):
        owner_of(session, metadata)  # type: ignore[arg-type]
