import assert from 'node:assert/strict';
import { loadOf } from '../../../../src/endpoints/http/load.ts';

describe('how busy a server says it is', () => {
  it('is summed over models and engines; the fullest cache counts', () => {
    const text = [
      '# HELP vllm:num_requests_running Number of requests',
      '# TYPE vllm:num_requests_running gauge',
      'vllm:num_requests_running{engine="0",model_name="a b"} 3.0',
      'vllm:num_requests_running{engine="1",model_name="a b"} 4.0',
      'vllm:num_requests_waiting{engine="0"} 1e+01',
      'vllm:kv_cache_usage_perc{engine="0"} 0.25 1790000000',
      'vllm:kv_cache_usage_perc{engine="1"} 0.5',
    ].join('\n');
    assert.deepEqual(loadOf(text), { running: 7, waiting: 10, cache: 0.5 });
  });

  it('is read by the names of other servers', () => {
    assert.deepEqual(loadOf('sglang:num_running_reqs 2\nsglang:num_queue_reqs 0\nsglang:token_usage 0.9\n'), {
      ...{ running: 2, waiting: 0, cache: 0.9 },
    });
    assert.deepEqual(loadOf('llamacpp:requests_processing 1\r\nllamacpp:requests_deferred 2\r\n'), {
      ...{ running: 1, waiting: 2, cache: null },
    });
  });

  it('is unknown where nothing of the kind is told', () => {
    assert.equal(loadOf('process_cpu_seconds_total 12\nvllm:num_requests_running NaN\n'), null);
    assert.equal(loadOf('<html>'), null);
  });
});
