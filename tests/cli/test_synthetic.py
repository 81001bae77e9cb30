"""Job histories made up from a seed."""

from trainops_cli.replay.synthetic import synthetic_trace


def test_the_same_seed_makes_the_same_jobs_and_another_one_others() -> None:
    assert synthetic_trace(3, 5) == synthetic_trace(3, 5)
    assert synthetic_trace(3, 5).jobs != synthetic_trace(4, 5).jobs


def test_made_up_jobs_are_of_sixty_people_in_order_and_end_after_they_began() -> None:
    jobs = synthetic_trace(1, 14).jobs
    assert len({found.fingerprint for found in jobs}) == 60
    assert all(found.ended > found.created for found in jobs)
    assert [found.created for found in jobs] == sorted(found.created for found in jobs)
