"""What the property test draws from: requests, plans of jobs, steps of time and the account's quotas."""

import hypothesis.strategies as st

from local.sagemaker.plans import Plan
from local.sagemaker.quota_admission import ALL_SPOT, ALL_TRAINING, LONGEST_RUN, SPOT, TRAINING, WARM_POOL
from tests.local.simulator.bench import create_request, pool_request, spot_request

NAMES = [f"job-{number}" for number in range(5)]
KIND, LONGEST = "ml.g5.xlarge", 3600  # every request of the bench asks for two of them and so many seconds
names = st.sampled_from(NAMES)
plans = st.builds(  # no job ends at the moment of its creation: its name and that moment tell it from the next one
    Plan,
    outcome=st.sampled_from(["Completed", "Failed"]),
    fails_in=st.sampled_from(["Starting", "Downloading", "Training"]),
    interruptions=st.integers(0, 3),
    starting_seconds=st.sampled_from([1, 120]),
    training_seconds=st.sampled_from([0, 1, 600, 5000]),
    interrupted_seconds=st.sampled_from([0, 300, 9000]),
    stopping_seconds=st.sampled_from([1, 60]),
    keep_pool=st.sampled_from([True, True, False]),
)
requests = st.one_of(
    st.builds(pool_request, names, keep_alive=st.sampled_from([3600, 600, 1, 0])),
    st.builds(create_request, names),
    st.builds(spot_request, names, max_wait=st.sampled_from([3600, 7200])),
    st.builds(pool_request, names, EnableManagedSpotTraining=st.booleans()),
    st.builds(create_request, names, StoppingCondition=st.just({"MaxRuntimeInSeconds": LONGEST + 1})),
)
several = st.lists(st.tuples(requests, plans), min_size=1, max_size=4)
durations = st.sampled_from([900, 0, 59, 600, 3601, 100_000])
small_quotas = st.fixed_dictionaries(
    {
        TRAINING.format(KIND): st.sampled_from([100, 6, 4, 2]),
        SPOT.format(KIND): st.sampled_from([100, 4, 3, 0]),
        WARM_POOL.format(KIND): st.sampled_from([100, 4, 2, 1]),
        ALL_TRAINING: st.sampled_from([100, 7, 4]),
        ALL_SPOT: st.sampled_from([100, 4, 2]),
        LONGEST_RUN: st.just(LONGEST),
    }
)
which = st.integers(0, 5)
