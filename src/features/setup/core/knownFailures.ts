/** Failures of servers that were met, by a line of their log: extended regular expressions that `grep -E` reads, too. */
export interface KnownFailure {
  pattern: string;
  cause: string;
  remedy: string;
}

/** The first match is the cause: its consequences are listed below it. */
export const knownFailures: readonly KnownFailure[] = [
  {
    pattern: 'CUDA driver version is insufficient|NVIDIA driver on your system is too old|libcudart\\.so\\.13',
    cause: 'The NVIDIA driver is older than the CUDA that the packages were built for.',
    remedy: 'Rent an image with driver 580 or newer (CUDA 13).',
  },
  {
    pattern: 'No CUDA GPUs are available|Found no NVIDIA driver|no CUDA-capable device|Failed to infer device type',
    cause: 'The process sees no GPU.',
    remedy: 'Run nvidia-smi. In a container start it with --gpus all; in Slurm ask for --gres=gpu:N.',
  },
  {
    pattern: 'CUDA out of memory|OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED',
    cause: 'A GPU has too little memory.',
    remedy: 'Halve the micro_*_batch_size_per_gpu and lower gpu_memory_utilization in the .json file of that server.',
  },
  {
    pattern: 'No available memory for the cache blocks|Free memory on device .* is less than desired',
    cause: 'vLLM finds too little memory for its cache: another process holds it, or the model is too large.',
    remedy: 'Look for other processes with nvidia-smi. Else raise gpu_memory_utilization, or take a smaller model.',
  },
  {
    pattern: 'address already in use|Address already in use|Errno 98',
    cause: 'The port is taken: an older server still runs.',
    remedy: 'Run ./stop.sh, or change the port here and in the experiment.',
  },
  {
    pattern: 'gated repo|GatedRepoError|401 Client Error',
    cause: 'The Hugging Face hub refuses the model: it is gated, or the token is missing.',
    remedy: 'Accept its terms on the hub, and set HF_TOKEN before ./start.sh.',
  },
  {
    pattern: 'Repository Not Found|RepositoryNotFoundError|not a valid model identifier|is not a local folder',
    cause: 'There is no model of this name.',
    remedy: 'Check the name, or give a folder on this machine.',
  },
  {
    pattern: 'Max retries exceeded|Temporary failure in name resolution|LocalEntryNotFoundError|offline mode',
    cause: 'The Hugging Face hub cannot be reached.',
    remedy: 'Download the model elsewhere, copy it here, and set HF_HOME, or give its folder as the model.',
  },
  {
    pattern: 'No space left on device',
    cause: 'The disk is full.',
    remedy: 'Free space, or set HF_HOME and CHECKPOINTS to a larger disk before ./start.sh.',
  },
  {
    pattern: 'No module named|error: unrecognized arguments|No solution found when resolving',
    cause: 'The installed packages do not fit these scripts.',
    remedy: 'Run ./install.sh again: it takes the versions that these scripts were written for.',
  },
  {
    pattern: 'NCCL (error|WARN)|ncclInternalError|ncclSystemError|ncclUnhandledCudaError',
    cause: 'The GPUs cannot talk to each other.',
    remedy: 'In a container add --ipc=host --ulimit memlock=-1. Try NCCL_P2P_DISABLE=1 before ./start.sh.',
  },
  {
    pattern: 'LoRA signature mismatch',
    cause: 'The two policies ask for adapters of different ranks.',
    remedy: 'Give both endpoints of the experiment the same "rank".',
  },
];
