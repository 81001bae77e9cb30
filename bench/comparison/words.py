"""The text of docs/comparison.md around its table; what is in braces comes from the results."""

HEAD = """# Compared with a bare rule and with Cloud Custodian

`make compare` writes this page. The ends of the same {jobs} training jobs go through three ways of hearing of
them, on the local AWS: this project, an EventBridge rule with an input transformer and an SNS topic
(bench/comparison/rule.yaml), and Cloud Custodian, unmodified, every five minutes (dated.yaml and periodic.yaml
beside it)."""

METHOD = """## How

One made-up day of {hours} hours, drawn from a seed: {spot} of the jobs are managed spot, {keep_alive} keep a warm
pool for an hour and follow each other in rows, some come in bursts of many alike. They ended: {statuses}. Of
{genuine} events 10 % were to be lost ({lost} were), 20 % of the others came twice ({duplicated}), and each copy
was up to 30 s late, so that some change places. This project and the rule get the same events in one account; each
policy of Custodian has an account of its own.

A job is told when every channel of a column had a message that tells its end; for this project both Slack and
e-mail. A summary of a storm of failures counts for the jobs that the ledger lists in it: it names five of them and
links to the list of all. Duplicates are what comes beyond the first message about one job in one channel,
summaries not counted. Messages in all include those about warm pools. What an event brought is timed in real
seconds from the step of the clock in which it was delivered to the receiver, where several ends of one minute wait
for each other; what no event brought, and Custodian, whose schedule is simulated, in simulated minutes. Calls are
those that the local AWS counted under roles; people's are not in it.

Warm pools: idle seconds that SageMaker would bill, times the on-demand price of the local price list, which third
parties quote. The rule and Custodian end no pool, so their columns show what the pools cost when nobody does:
{saved} more. What a cold start costs somebody who waits is not in it.

Custodian reads the machine's clock, and this day's is simulated: so the moment since when it looks is written into
its policy for each run, where `value_type: age` would stand (by date it has to be in any case, because a query
takes no variable). Asked for all jobs, it describes each of them at every run, within SageMaker's five a second.
In the column "all jobs" the rates are therefore off, or the day would not end; one more run at its end met them:
{rates_seconds} s, {rates_calls}, {rates_throttled} calls throttled, and {rates_end}. In a real account jobs of
earlier days are listed too, and never go."""

OTHERS = """## Where the others are better

* **The rule** is a page of YAML, has no function, table or queue, nothing to update and nothing that wears out. It
  calls SageMaker not at all, costs next to nothing for so few messages, and its message has the shortest way.
* **Custodian** is configured in a few lines, needs no event, and so misses nothing that it lists; its filters and
  actions cover all of AWS, where this project knows training jobs only. It runs where you like, and nothing stays
  in between.
* **This project** brings {functions} functions ({memory} of memory each), queues, a table, dashboards and alarms,
  which are to be deployed, paid for ([docs/cost.md](cost.md)) and kept up to date. It calls SageMaker for every
  job, because it trusts no event. A team that can live with the lost and the repeated messages is served by the
  rule."""

NOT_AT_ALL = """## What each does not do at all

* The rule: find an end whose event was lost, tell a message from its repetition, say why a job failed or what it
  cost, hold back a storm, touch a pool.
* Custodian: hear of a job's end as an event (its modes listen for API calls and for other services, and an end is
  no call), remember between runs what was told (a tag on each job could), tell one job in one message, end a warm
  pool: of its actions on a training job only `stop` changes the job itself, by StopTrainingJob, and the pool of an
  ended job needs UpdateTrainingJob. With `invoke-lambda` a function of your own could.
* This project: anything but training jobs, their warm pools and quotas, in one account and Region for each
  deployment."""

LIMITS = """## Limits

Only a real account can tell how many events are lost or repeated, how long EventBridge, SNS, SQS and Lambda take,
how a cold Lambda compares, what a scheduler and Custodian's mailer add, and what any of it costs. The shares above
are choices, harder than what AWS lets expect. Real seconds include the load of a day that is played in minutes on
one machine: compare them with each other. Limits of the measurement: Custodian's ticks are exactly five minutes apart,
which no real schedule is, and boto3 sends its date in whole seconds, so that an end at a tick's own second is found
by two; delayed messages of this project come at their
simulated time by the measurement's own hand."""
