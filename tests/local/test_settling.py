"""When a story goes on: the product's queues are empty, or what is left in them is meant for later."""

from local.stories.deployed import AT_WORK, Rest

BUSY, IDLE = (1, 0), (0, 0)


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_empty_queues_are_at_rest_at_once() -> None:
    assert Rest(Clock())([IDLE, IDLE])


def test_a_function_without_a_queue_is_waited_for_until_it_ends() -> None:
    clock = Clock()
    rest = Rest(clock)
    for clock.seconds in (0, AT_WORK + 1, 10 * AT_WORK):
        assert not rest([IDLE], at_work=1)
    assert rest([IDLE], at_work=0)


def test_a_visible_message_is_waited_for_however_long_it_takes() -> None:
    clock = Clock()
    rest = Rest(clock)
    for clock.seconds in (0, AT_WORK + 1, 10 * AT_WORK):
        assert not rest([BUSY, IDLE])


def test_a_message_that_stays_hidden_is_one_that_is_tried_again_later() -> None:
    clock = Clock()
    rest = Rest(clock)
    assert not rest([IDLE, (0, 1)])
    clock.seconds = AT_WORK
    assert not rest([IDLE, (0, 1)])
    clock.seconds = AT_WORK + 1
    assert rest([IDLE, (0, 1)])


def test_a_change_among_hidden_messages_begins_the_wait_anew() -> None:
    clock = Clock()
    rest = Rest(clock)
    rest([(0, 1), IDLE])
    clock.seconds = AT_WORK + 1
    assert not rest([IDLE, (0, 1)])  # the same number, but another queue: something was done
    clock.seconds = 2 * AT_WORK + 2
    assert rest([IDLE, (0, 1)])
