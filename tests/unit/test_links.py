"""Addresses in the console of each partition."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import at, job
from trainops.domain.links import job_page, links_for, log_query_page, log_streams, s3_location, tuning_page


def arn(partition: str = "aws", region: str = "eu-west-1", name: str = "resnet-1") -> str:
    return f"arn:{partition}:sagemaker:{region}:111122223333:training-job/{name}"


@pytest.mark.parametrize(
    ("partition", "region", "host"),
    [
        ("aws", "eu-west-1", "eu-west-1.console.aws.amazon.com"),
        ("aws-cn", "cn-north-1", "cn-north-1.console.amazonaws.cn"),
        ("aws-us-gov", "us-gov-west-1", "us-gov-west-1.console.amazonaws-us-gov.com"),
    ],
)
def test_each_partition_has_its_own_console(partition: str, region: str, host: str) -> None:
    where = arn(partition, region)
    assert job_page(where, "resnet-1") == f"https://{host}/sagemaker/home?region={region}#/jobs/resnet-1"
    for url in (log_streams(where, "resnet-1"), s3_location("s3://b/k/", where)):
        assert urlsplit(str(url)).hostname == host
        assert parse_qs(urlsplit(str(url)).query)["region"] == [region]


def test_a_partition_without_a_public_console_has_no_links() -> None:
    where = arn("aws-iso", "us-iso-east-1")
    assert (job_page(where, "resnet-1"), log_streams(where, "resnet-1"), s3_location("s3://b/k/", where)) == (
        None,
        None,
        None,
    )


def test_the_log_link_lists_the_streams_of_this_job_only() -> None:
    assert log_streams(arn(), "resnet-1") == (
        "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1"
        "#logsV2:log-groups/log-group/$252Faws$252Fsagemaker$252FTrainingJobs"
        "$3FlogStreamNameFilter$3Dresnet-1$252F"
    )


def test_a_file_has_its_own_page_and_a_prefix_is_a_folder() -> None:
    file = s3_location("s3://acme/out/model.tar.gz", arn())
    assert file == (
        "https://eu-west-1.console.aws.amazon.com/s3/object/acme?region=eu-west-1&prefix=out%2Fmodel.tar.gz"
    )
    folder = "https://eu-west-1.console.aws.amazon.com/s3/buckets/acme?region=eu-west-1&prefix=exp-1%2F"
    assert s3_location("s3://acme/exp-1", arn()) == folder
    assert s3_location("s3://acme/exp-1/", arn()) == folder


@pytest.mark.parametrize("uri", [None, "", "https://elsewhere/x", "s3://", "s3:///key"])
def test_what_is_no_s3_location_has_no_link(uri: str | None) -> None:
    assert s3_location(uri, arn()) is None


@pytest.mark.case("NO-26")
def test_a_job_links_to_its_page_logs_output_and_checkpoints() -> None:
    labels = [link.label for link in links_for(job(output_uri="s3://b/o/model.tar.gz", checkpoint_uri="s3://b/c/"))]
    assert labels == ["Job", "Logs", "Output", "Checkpoints"]
    assert [link.label for link in links_for(job())] == ["Job", "Logs"]


@given(st.text(max_size=60))
def test_no_name_breaks_out_of_its_address(name: str) -> None:
    for url in (job_page(arn(), name), s3_location(f"s3://b/{name}", arn())):
        assert url is not None
        assert not set(url) & set(" <>\"'\n|`")


def test_a_log_query_opens_with_its_text_its_group_and_its_time() -> None:
    page = log_query_page(arn(), "/aws/lambda/f", 'filter storm = "a|b"', at(0), at(20))
    assert page == (
        "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#logsV2:logs-insights$3FqueryDetail$3D"
        "~(end~'2026-03-02T09*3A20*3A00.000Z~start~'2026-03-02T09*3A00*3A00.000Z~timeType~'ABSOLUTE~tz~'UTC"
        "~editorString~'filter*20storm*20*3D*20*22a*7Cb*22~source~(~'*2Faws*2Flambda*2Ff))"
    )
    assert log_query_page("arn:aws-iso:sagemaker:us-iso-east-1:1:training-job/a", "g", "q", at(0), at(1)) is None
    assert tuning_page("arn:aws:sagemaker:us-east-1:1:hyper-parameter-tuning-job/hpo-1", "HPO 1") == (
        "https://us-east-1.console.aws.amazon.com/sagemaker/home?region=us-east-1#/hyper-tuning-jobs/HPO%201"
    )
