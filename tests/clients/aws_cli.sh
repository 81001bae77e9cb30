#!/usr/bin/env bash
# The AWS CLI from create-training-job to the quotas. Arguments: the execution role's ARN, an S3 address for output.
set -euo pipefail
role=$1 output=$2

create() { # name, seconds of training
  aws sagemaker create-training-job --training-job-name "$1" --role-arn "$role" \
    --algorithm-specification "TrainingImage=local/python:3,TrainingInputMode=File,ContainerEntrypoint=python,ContainerArguments=-c,import time; time.sleep($2)" \
    --output-data-config "S3OutputPath=$output" --stopping-condition MaxRuntimeInSeconds=86400 \
    --resource-config InstanceType=ml.c5.2xlarge,InstanceCount=1,VolumeSizeInGB=10,KeepAlivePeriodInSeconds=21600 \
    --query TrainingJobArn --output text
}
status() { aws sagemaker describe-training-job --training-job-name "$1" --query TrainingJobStatus --output text; }
same() { [ "$2" = "$3" ] || { echo "$1: expected '$3', found '$2'" >&2; exit 1; }; }

same account "$(aws sts get-caller-identity --query Account --output text)" 000000000000
same arn "$(create cli-ends 1)" "arn:aws:sagemaker:$AWS_REGION:000000000000:training-job/cli-ends"
create cli-stopped 86400
aws sagemaker stop-training-job --training-job-name cli-stopped
aws sagemaker wait training-job-completed-or-stopped --training-job-name cli-ends
aws sagemaker wait training-job-completed-or-stopped --training-job-name cli-stopped
same cli-ends "$(status cli-ends)" Completed
same cli-stopped "$(status cli-stopped)" Stopped

available() {
  aws sagemaker list-training-jobs --warm-pool-status-equals Available --name-contains cli-ends \
    --query 'TrainingJobSummaries[].TrainingJobName' --output text
}
same pool "$(available)" cli-ends
aws sagemaker update-training-job --training-job-name cli-ends --resource-config KeepAlivePeriodInSeconds=0
same 'pool after the update' "$(available)" ""

quota='ml.c5.2xlarge for training job usage'
code=$(aws service-quotas list-service-quotas --service-code sagemaker --query "Quotas[?QuotaName=='$quota'].QuotaCode" --output text)
of=(--service-code sagemaker --quota-code "$code")
value=$(aws service-quotas get-service-quota "${of[@]}" --query Quota.Value --output text)
wanted=$(aws service-quotas request-service-quota-increase "${of[@]}" --desired-value 40 --query RequestedQuota.DesiredValue --output text)
same 'desired value' "$wanted" 40.0
history=$(aws service-quotas list-requested-service-quota-change-history-by-quota "${of[@]}" --query 'length(RequestedQuotas)')
same 'requests of the quota' "$history" 1
echo "quota $code: $value, asked for $wanted"
