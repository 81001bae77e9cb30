"""Jobs whose image is `local/python`: their script really runs, in SageMaker's environment, on this machine."""
