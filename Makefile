PYTHON ?= python3
BIN := .venv/bin
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 20
.DEFAULT_GOAL := help
.PHONY: help setup demo local pictures notebooks sdks clients test browser switched month check synth layer bench compare requirements clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: .venv/.ready node_modules/.ready ## Make .venv (with the trainops command) and .venv-local, install the pinned CDK CLI

.venv/.ready: requirements-dev.txt local/requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; $(PYTHON) is " + sys.version.split()[0] + ". Choose one: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^uv==' requirements-dev.txt)"
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python requirements-dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-local
	@$(BIN)/uv pip sync --quiet --python .venv-local/bin/python local/requirements.txt
	@touch $@

node_modules/.ready: package-lock.json
	@command -v npm >/dev/null || { echo "Node.js 20 or newer with npm is needed for the CDK command line; npm is not on PATH" >&2; exit 1; }
	@npm ci --silent
	@touch $@

layer: .venv/.ready ## Build the functions' third-party layer (pure Python, no Docker)
	@$(BIN)/python -m stacks.building_blocks.layer

demo: setup layer ## Deploy to an AWS on this machine, run three jobs, show the messages
	@$(BIN)/python -m local demo

local: setup layer ## Keep the AWS on this machine up until Ctrl-C, with a page that shows it
	@$(BIN)/python -m local up

pictures: setup layer ## Take the pictures of docs/ in a real browser: every message, and a week played on this machine
	@$(BIN)/python -m local messages
	@$(BIN)/python -m local pictures

notebooks: setup layer .venv-notebooks/.ready ## Execute the example notebooks against an AWS on this machine
	@$(BIN)/python -m local notebooks

sdks: .venv-notebooks/.ready .venv-sdk-v3/.ready ## Test the notebook package with the SageMaker SDK v2 and v3
	@.venv-notebooks/bin/python -m pytest -c tests/sdk/sdk.ini tests/sdk/test_estimator.py
	@.venv-sdk-v3/bin/python -m pytest -c tests/sdk/sdk.ini tests/sdk/test_model_trainer.py

.venv-notebooks/.ready: notebooks/requirements.txt .venv/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-notebooks
	@$(BIN)/uv pip sync --quiet --python .venv-notebooks/bin/python notebooks/requirements.txt
	@touch $@

.venv-sdk-v3/.ready: tests/sdk/requirements.txt .venv/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-sdk-v3
	@$(BIN)/uv pip sync --quiet --python .venv-sdk-v3/bin/python tests/sdk/requirements.txt
	@touch $@

clients: setup .venv-notebooks/.ready .venv-sdk-v3/.ready .venv-clients/aws-cli/.ready .venv-clients/cloud-custodian/.ready ## Try programs of others on the local AWS
	@$(BIN)/python -m pytest tests/clients -m clients

.venv-clients/%/.ready: tests/clients/%.txt .venv/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(@D)
	@$(BIN)/uv pip sync --quiet --python $(@D)/bin/python $<
	@touch $@

test: setup layer ## Run every test, the end-to-end suite on the local AWS included
	@$(BIN)/python -m pytest

browser: setup ## Test the page of `make local` in a real browser
	@$(BIN)/python -m pytest tests/browser -m browser

switched: setup layer ## Run the end-to-end suite with every unverified behaviour of SageMaker turned over
	@LOCAL_SWITCHES=other $(BIN)/python -m pytest tests/local/test_product_jobs.py tests/local/test_product_faults.py tests/local/test_product_permissions.py tests/local/test_product_warm_pools.py tests/local/test_product_pool_misses.py tests/local/test_product_stories.py

month: setup layer ## Hold a month of 5,000 jobs against the dashboards, in 3 minutes (in `make test` it has fewer jobs)
	@MONTH_JOBS=5000 $(BIN)/python -m pytest tests/month

check: setup layer ## Lint, types, import rules, cdk-nag and cfn-lint
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@PYTHONPATH=lambdas:cli:. $(BIN)/lint-imports
	@$(BIN)/python -m stacks.compliance

synth: setup layer ## Write the CloudFormation templates to cdk.out
	@node_modules/.bin/cdk synth --quiet

bench: setup layer ## Measure it all (TRACE=file: keep-alive on that history too); writes bench/results.md
	@$(BIN)/python -m bench

compare: setup layer .venv-clients/cloud-custodian/.ready ## Compare with a bare rule and Cloud Custodian; writes docs/comparison.md
	@$(BIN)/python -m bench.comparison

requirements: .venv/.ready ## Re-pin every requirements file from pyproject.toml
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" pyproject.toml -o requirements.txt
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" pyproject.toml --group dev -o requirements-dev.txt
	@$(BIN)/uv pip compile -q --no-annotate --generate-hashes --python-version 3.13 --python-platform aarch64-manylinux_2_28 --custom-compile-command "make requirements" --group layer -o lambdas/requirements.txt
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" --group local -o local/requirements.txt
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" --group notebooks -o notebooks/requirements.txt
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" --group sdk-v3 -o tests/sdk/requirements.txt
	@for client in aws-cli cloud-custodian; do $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make requirements" --group $$client -o tests/clients/$$client.txt || exit 1; done

clean: ## Remove everything that was built or installed here
	@rm -rf .venv .venv-local .venv-notebooks .venv-sdk-v3 .venv-clients node_modules build cdk.out .local
