"""Search for training jobs: which records an expression selects, in which order and pages (operation Search).

The types of properties come from the API model's TrainingJob shape; how a single condition is judged is in
`filters` and `nested_filters`. Resources other than TrainingJob are refused in so many words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from local.sagemaker.describe import describe
from local.sagemaker.errors import validation
from local.sagemaker.filters import Property, satisfied
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.model import structure
from local.sagemaker.nested_filters import check_nested, nested_satisfied
from local.sagemaker.paging import Place, cut
from local.sagemaker.tags import tag_list

PAGE = 10  # when MaxResults is absent (inferred)
MOST_CONDITIONS = 50
Record = dict[str, Any]


def search(jobs: Iterable[TrainingJob], request: Mapping[str, Any]) -> dict[str, Any]:
    """SearchResponse for one page; records of other accounts are never discoverable here."""
    if (resource := request["Resource"]) != "TrainingJob":
        raise validation(f"Search for {resource} is not simulated on this machine, only for TrainingJob")
    expression = request.get("SearchExpression")
    if expression is not None:
        _check(expression)
    foreign = request.get("CrossAccountFilterOption") == "CrossAccount"
    records = [] if foreign else [record(job) for job in jobs if _visible(job, request)]
    found = [one for one in records if expression is None or _matches(one, expression)]
    descending = request.get("SortOrder", "Descending") == "Descending"
    page, more = cut(found, _key(request.get("SortBy", "LastModifiedTime")), request, descending=descending, size=PAGE)
    hits = {"Value": len(found), "Relation": "EqualTo"}
    return {"Results": [{"TrainingJob": one} for one in page], "TotalHits": hits, **more}


def visibility_keys(request: Mapping[str, Any]) -> dict[str, str]:
    """sagemaker:SearchVisibilityCondition/<key>/EqualsIfExists, the condition keys of Search (developer guide)."""
    conditions = request.get("VisibilityConditions", [])
    return {
        f"sagemaker:SearchVisibilityCondition/{one.get('Key')}/EqualsIfExists": one.get("Value", "")
        for one in conditions
    }


def record(job: TrainingJob) -> Record:
    """The TrainingJob shape: what Describe says as far as the shape has a place for it, and the tags."""
    places = structure("TrainingJob").members
    shape = {name: value for name, value in describe(job).items() if name in places}
    return {**shape, "Tags": tag_list(job)} if job.tags else shape


def _visible(job: TrainingJob, request: Mapping[str, Any]) -> bool:
    """VisibilityConditions leave out jobs that have the tag with another value, and only those."""
    conditions = request.get("VisibilityConditions", [])
    wanted = {one.get("Key", "").removeprefix("Tags."): one.get("Value") for one in conditions}
    return all(job.tags.get(key, value) == value for key, value in wanted.items())


def _check(expression: Mapping[str, Any]) -> None:
    """The limits that SearchRequest and Filter describe in words."""
    count, contains = 0, 0
    for part in _expressions(expression):
        filters, nested, inner = (part.get(name, []) for name in ("Filters", "NestedFilters", "SubExpressions"))
        if not filters and not nested and not inner:
            raise validation("A SearchExpression needs at least one filter, nested filter or subexpression")
        within = [one for group in nested for one in group["Filters"]]
        count += len(filters) + len(nested) + len(within) + len(inner)
        contains += sum(one.get("Operator") == "Contains" for one in (*filters, *within))
        for one in filters:
            satisfied({}, one)  # refuses a wrong property, operator or value although no record is there
        for group in nested:
            check_nested(group)
    if count > MOST_CONDITIONS:
        raise validation(f"A SearchExpression can contain at most {MOST_CONDITIONS} conditions, not {count}")
    if contains > 1:
        raise validation("'CONTAINS' operator usage limit of 1 exceeded.")


def _expressions(expression: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield expression
    for inner in expression.get("SubExpressions", []):
        yield from _expressions(inner)


def _matches(one: Record, expression: Mapping[str, Any]) -> bool:
    verdicts = [satisfied(one, condition) for condition in expression.get("Filters", [])]
    verdicts += [nested_satisfied(one, nested) for nested in expression.get("NestedFilters", [])]
    verdicts += [_matches(one, inner) for inner in expression.get("SubExpressions", [])]
    return any(verdicts) if expression.get("Operator") == "Or" else all(verdicts)


def _key(sort_by: str) -> Callable[[Record], Place]:
    """Order by any property; records without it are the smallest, the name decides among equals."""
    ordered = Property.named(sort_by)
    return lambda one: (ordered.sortable(one), one["TrainingJobName"])
