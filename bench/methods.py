"""How each figure was come by, and what it does not tell; the words under the tables of bench/results.md."""

HEAD = """# Measurements

`make bench` writes this page and `results.json`, which also has every single value. Compare figures of one run with
each other, by ratio: absolute times belong to the machine. No test looks at them."""

INITIALISATION = """How: each start is a fresh isolated interpreter that finds the code asset, the layer and boto3, and
nothing else. The clock runs from the first statement until the handler is imported and `wire()` has made its parts
from a valid environment; in brackets the fastest and the slowest start. The floor is a process like it with only the
third-party import statements of the modules that the function loads, and boto3's own clients of the same services;
both lists are found by starting the function, and are in `results.json`. Ours and floor take turns; their ratio is the
median over the pairs. Code and layer are without bytecode, as they ship, and so compiled at each start; boto3 has its
bytecode. Memory is the most that was resident.

Not told: the interpreter's own start, Lambda's part (sandbox, download, its runtime client), and the processor's share
that a function's memory size buys. Whether the floor itself could be lower is a question of the imports."""

SIZES = """How: the files that ship, in bytes (1 kB is 1,000), as they are and as one deflated zip. The code asset is
the same for all functions. Lambda's limit is 250 MB unpacked for code and layers together.

Not told: the CDK packs with another program, so its zip may differ by a few per cent."""

LATENCY = """How: trainops is deployed to the local AWS with IAM enforced, and a simulated training job is brought to
the state before its end. Then one call moves the clock; the time just before it is the job's end. Each function's start
and end come from the REPORT line in its CloudWatch log, the arrival from the receiver's own clock. A function's hop
ends with the function, or with the start of the next one if that came first, because a function still tidies up after
it has handed on. Cold: every function got a new process after the job had started, as after a deployment. Both
channels get the message, so their two functions start at the same time and share the processor. The breakdown is that
of the run whose total is the median (of two, the faster).

Not told: what AWS's network, queues and polling take; Lambda's own cold start; anything under load, since one job ends
at a time. A cold function's time here also holds what the local AWS does for a new process: it unpacks code and layer
again, on the same cores, within the duration that it reports."""

ACKNOWLEDGEMENT = """\
How: as for initialisation, each press meets a fresh interpreter; it ends when the function has checked the signature
and queued the press, with Secrets Manager and SQS answered on this machine. Slack waits three seconds. The processor
time is what a Lambda function with a whole processor needs; the rest of the wait is the load of the machine."""

FLEET = """How: the simulator of SageMaker alone, in one process on a stepped clock: a job every 20 simulated seconds,
then two days more, so that all jobs and all pools end. 35 % run on demand, 35 % leave a warm pool and take one if there
is one, 30 % are managed spot with up to three interruptions; a tenth fails. Every quota is looked at for each job, and
every event is made.

Not told: the API around it (permissions, validation, HTTP) and whatever receives the events."""

KEEP_ALIVE = """How: `trainops replay`, whose page is docs/keep-alive.md, with pools of at most an hour. A run is one
policy over all jobs, in processor time on one core. Made-up jobs are those that ship with the command; a real trace is
read with `TRACE=path make bench`, and its figures stay until it is read again. The keys of
itp-elasticflow are cluster and number of GPUs, taken as g5 instances (g5.12xlarge at $7.09, g5.48xlarge at $20.36).

Not told: the order in which SageMaker hands out pools, and how soon one is available, are taken from the simulation."""
