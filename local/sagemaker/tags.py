"""AddTags, ListTags and DeleteTags on whatever has an ARN and tags: training jobs and tuning jobs.

Rules from the API model (keys of 1-128 and values of 0-256 characters, 50 tags a resource, pages of at least 50) and
from the AWS-wide tagging rules (no `aws:` prefix, no key twice).
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from local.sagemaker import conditions
from local.sagemaker.callers import Caller, Json, Operation
from local.sagemaker.errors import not_found, validation
from local.sagemaker.paging import cut
from local.sagemaker.rules import check_tags
from local.sagemaker.simulator import Scope

MOST = 50


class Tagged(Protocol):
    """A resource that can be tagged."""

    arn: str
    tags: dict[str, str]


class TagOperations:
    """The three operations; `page` is smaller than the service's 50 only for tests of paging."""

    def __init__(self, resources: Callable[[Scope], Iterable[Tagged]], page: int = MOST) -> None:
        self._resources = resources
        self._page = page

    def operations(self) -> dict[str, Operation]:
        """By the names of the API."""
        return {"AddTags": self._add, "ListTags": self._list, "DeleteTags": self._delete}

    def _add(self, caller: Caller, request: Json) -> Json:
        tagged = self._authorised("AddTags", caller, request, conditions.tag_keys(request["Tags"]))
        check_tags(request["Tags"])
        together = {**tagged.tags, **{tag["Key"]: tag["Value"] for tag in request["Tags"]}}
        if len(together) > MOST:
            raise validation(f"Too many tags: {len(together)} on {tagged.arn}, {MOST} are allowed")
        tagged.tags.update(together)
        return {"Tags": tag_list(tagged)}

    def _list(self, caller: Caller, request: Json) -> Json:
        tagged = self._authorised("ListTags", caller, request, {})
        numbered = list(enumerate(tag_list(tagged)))
        page, more = cut(numbered, lambda entry: (f"{entry[0]:04}", entry[1]["Key"]), request, size=self._page)
        return {"Tags": [tag for _, tag in page], **more}

    def _delete(self, caller: Caller, request: Json) -> Json:
        """A key that is not there is no error (as with all AWS tagging; not documented here)."""
        keys = request["TagKeys"]
        tagged = self._authorised("DeleteTags", caller, request, {"aws:TagKeys": list(keys)})
        for key in keys:
            tagged.tags.pop(key, None)
        return {}

    def _authorised(self, action: str, caller: Caller, request: Json, keys: dict[str, Any]) -> Tagged:
        """Authorise before it is known whether the resource exists."""
        arn = request["ResourceArn"]
        found = next((resource for resource in self._resources(caller.scope) if resource.arn == arn), None)
        caller.authorise(f"sagemaker:{action}", arn, {**keys, **conditions.resource_tags(found)})
        if found is None:
            raise not_found(arn)
        return found


def tag_list(tagged: Tagged) -> list[dict[str, str]]:
    """The API's TagList, in the order in which the tags were added."""
    return [{"Key": key, "Value": value} for key, value in tagged.tags.items()]
