import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { agentSteps } from '../../../../src/endpoints/verl/files/agentFigures.ts';
import { agentSettings } from '../../../../src/endpoints/verl/files/agentSettings.ts';
import { checkRows, divide } from '../../../../src/endpoints/verl/batch.ts';
import { environmentSettings } from '../../../../src/endpoints/verl/files/environmentSettings.ts';
import { overridesOf } from '../../../../src/endpoints/verl/files/hydra.ts';
import { placeOf } from '../../../../src/endpoints/verl/files/jobSettings.ts';
import { agentRows, environmentRows, mostTokens } from '../../../../src/endpoints/verl/files/rows.ts';
import { endpointDefaults } from '../../../../src/shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import { agentJob, environmentJob } from '../../../support/ray/jobs.ts';
import { Overrides } from '../../../support/ray/hydra.ts';

const endpoint = { ...endpointDefaults.verl, rank: 16, gpus: 2 };

describe('settings of a job of verl', () => {
  const agent = placeOf('genenv-r7-e2-agent', '/shared/genenv/r7/e2-agent', 'agent');
  const environment = placeOf('genenv-r7-e2-environment', '/shared/genenv/r7/e2-environment', 'environment');

  it('say everything that an experiment says of the agent', () => {
    const rollouts = { group: 8, temperature: 0.9, maxTokens: 512 };
    const job = agentJob({ rollouts, settings: { ...presets.default.agent, minibatch: 16, klCoefficient: 0.001 } });
    const longest = mostTokens(job.tasks.map(({ messages }) => messages));
    assert.deepEqual(overridesOf(agentSettings(job, endpoint, agent, '/shared/genenv/r7/e1-agent/export'), ''), [
      'algorithm.adv_estimator=grpo',
      'algorithm.norm_adv_by_std_in_grpo=true',
      'algorithm.use_kl_in_reward=false',
      'data.train_files=/shared/genenv/r7/e2-agent/train.json',
      'data.val_files=/shared/genenv/r7/e2-agent/train.json',
      'data.train_batch_size=6',
      `data.max_prompt_length=${longest}`,
      'data.max_response_length=512',
      'data.truncation=error',
      'data.shuffle=false',
      'data.seed=5',
      'actor_rollout_ref.model.path=Qwen/Qwen3-8B',
      'actor_rollout_ref.model.lora_rank=16',
      'actor_rollout_ref.model.lora_alpha=32',
      'actor_rollout_ref.model.target_modules=all-linear',
      'actor_rollout_ref.model.lora_adapter_path=/shared/genenv/r7/e1-agent/export',
      'actor_rollout_ref.actor.ppo_mini_batch_size=2',
      'actor_rollout_ref.actor.ppo_epochs=1',
      'actor_rollout_ref.actor.shuffle=true',
      'actor_rollout_ref.actor.data_loader_seed=5',
      'actor_rollout_ref.actor.use_dynamic_bsz=true',
      'actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384',
      'actor_rollout_ref.actor.loss_agg_mode=token-mean',
      'actor_rollout_ref.actor.entropy_coeff=0',
      'actor_rollout_ref.actor.policy_loss.loss_mode=vanilla',
      'actor_rollout_ref.actor.clip_ratio=0.2',
      'actor_rollout_ref.actor.clip_ratio_low=0.2',
      'actor_rollout_ref.actor.clip_ratio_high=0.28',
      'actor_rollout_ref.actor.clip_ratio_c=1000000',
      'actor_rollout_ref.actor.use_kl_loss=true',
      'actor_rollout_ref.actor.kl_loss_coef=0.001',
      'actor_rollout_ref.actor.kl_loss_type=low_var_kl',
      'actor_rollout_ref.actor.grad_clip=1',
      'actor_rollout_ref.actor.optim.lr=0.00001',
      'actor_rollout_ref.actor.optim.lr_scheduler_type=constant',
      'actor_rollout_ref.actor.optim.lr_warmup_steps=0',
      'actor_rollout_ref.actor.optim.betas=[0.9,0.95]',
      'actor_rollout_ref.actor.optim.weight_decay=0',
      'actor_rollout_ref.actor.optim.clip_grad=1',
      'actor_rollout_ref.actor.checkpoint.save_contents=[model]',
      'actor_rollout_ref.rollout.name=vllm',
      'actor_rollout_ref.rollout.n=8',
      'actor_rollout_ref.rollout.temperature=0.9',
      'actor_rollout_ref.rollout.top_p=1',
      'actor_rollout_ref.rollout.top_k=-1',
      'actor_rollout_ref.rollout.load_format=safetensors',
      'actor_rollout_ref.rollout.tensor_model_parallel_size=1',
      'reward.custom_reward_function.path=/shared/genenv/r7/e2-agent/reward.py',
      'reward.custom_reward_function.name=compute_score',
      'trainer.rollout_data_dir=/shared/genenv/r7/e2-agent/rollouts',
      'trainer.val_before_train=false',
      'trainer.project_name=genenv',
      'trainer.experiment_name=genenv-r7-e2-agent',
      'trainer.logger=[console,file]',
      'trainer.default_local_dir=/shared/genenv/r7/e2-agent/checkpoints',
      'trainer.resume_mode=disable',
      'trainer.total_epochs=1',
      'trainer.test_freq=-1',
      'trainer.nnodes=1',
      'trainer.n_gpus_per_node=2',
      'trainer.save_freq=1',
    ]);
  });

  it('have each loss, and what is switched off', () => {
    const given = (over: Partial<(typeof presets)['default']['agent']>) => {
      const settings = { ...presets.default.agent, minibatch: 16, ...over };
      const words = overridesOf(agentSettings(agentJob({ settings }), endpoint, agent, null), '');
      return (key: string) => new Overrides(words).text(`actor_rollout_ref.actor.${key}`);
    };
    const free = given({ loss: 'importance_sampling' });
    assert.deepEqual([free('clip_ratio_low'), free('clip_ratio_high')], ['1', '1000000']);
    const cispo = given({ loss: 'cispo', clipLow: 0, clipHigh: 5 });
    assert.deepEqual(
      [cispo('policy_loss.loss_mode'), cispo('clip_ratio_low'), cispo('clip_ratio_high')],
      ['cispo', '1', '4'],
    );
    const adam = { ...presets.default.agent.adam, gradClipNorm: 0, epsilon: 1e-12 };
    const other = given({ adam, normalisation: 'seq-mean', klCoefficient: 0 });
    assert.deepEqual(
      [other('grad_clip'), other('optim.override_optimizer_config'), other('loss_agg_mode'), other('use_kl_loss')],
      ['1000000', '{eps:1e-12}', 'seq-mean-token-sum', 'false'],
    );
  });

  it('say everything that an experiment says of the environment', () => {
    const job = environmentJob();
    const longest = mostTokens(job.examples);
    assert.deepEqual(overridesOf(environmentSettings(job, endpoint, environment, null), ''), [
      'data.train_files=/shared/genenv/r7/e2-environment/train.parquet',
      'data.train_batch_size=4',
      'data.messages_key=messages',
      `data.max_length=${longest}`,
      'data.truncation=error',
      'data.use_dynamic_bsz=true',
      'data.max_token_len_per_gpu=8192',
      'model.path=Qwen/Qwen3-8B',
      'model.lora_rank=16',
      'model.lora_alpha=32',
      'model.target_modules=all-linear',
      'model.lora_adapter_path=null',
      'optim.lr=0.0007',
      'optim.lr_scheduler_type=constant',
      'optim.lr_warmup_steps=0',
      'optim.betas=[0.9,0.95]',
      'optim.weight_decay=0',
      'optim.clip_grad=1',
      'checkpoint.save_contents=[model]',
      'trainer.project_name=genenv',
      'trainer.experiment_name=genenv-r7-e2-environment',
      'trainer.logger=[console,file]',
      'trainer.default_local_dir=/shared/genenv/r7/e2-environment/checkpoints',
      'trainer.resume_mode=disable',
      'trainer.total_epochs=1',
      'trainer.test_freq=-1',
      'trainer.nnodes=1',
      'trainer.n_gpus_per_node=2',
      'trainer.seed=5',
      'trainer.save_freq=-1',
    ]);
    const odd = environmentJob({ examples: job.examples.slice(1) });
    assert.throws(() => environmentSettings(odd, endpoint, environment, null), /11 rows are not whole steps of 4/);
  });

  it('come through Hydra as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [word = ''] = overridesOf({ 'model.path': text }, '');
        assert.equal(new Overrides([word]).text('model.path'), text);
      }),
    );
  });

  it('divide a batch so that every GPU and every step has its part', () => {
    const place = { epoch: 2, endpoint: 'x' };
    const [tasks, group, gpus, wanted] = [
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 2, max: 16 }),
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 1, max: 600 }),
    ];
    fc.assert(
      fc.property(tasks, group, gpus, wanted, (tasks, group, gpus, wanted) => {
        if ((tasks * group) % gpus !== 0) {
          assert.throws(() => divide({ tasks, group, gpus, wanted }, place), { reason: 'unable' });
          return;
        }
        const { minibatch, steps } = divide({ tasks, group, gpus, wanted }, place);
        assert.equal(minibatch * steps, tasks);
        assert.equal((minibatch * group) % gpus, 0);
      }),
    );
    assert.deepEqual(divide({ tasks: 64, group: 8, gpus: 8, wanted: 64 }, place), { minibatch: 8, steps: 8 });
    assert.throws(
      () => divide({ tasks: 5, group: 6, gpus: 4, wanted: 64 }, place),
      /branch the run from epoch 1 with rollouts\.group=8 /,
    );
    assert.throws(() => agentSteps(agentJob(), { ...endpoint, overrides: 'trainer.n_gpus_per_node=7' }), / by 7 GPUs/);
    assert.throws(() => checkRows(20, 10, 4, place), /with environment\.minibatch=12 /);
  });

  it('make as many steps as the job tells, by attempts or tasks, and with overrides', () => {
    const steps = (settings: Partial<(typeof presets)['default']['agent']>, overrides = '') => {
      const job = agentJob({ settings: { ...presets.default.agent, ...settings } });
      const own = { ...endpoint, overrides };
      const words = new Overrides(overridesOf(agentSettings(job, own, agent, null), overrides));
      const told = agentSteps(job, own);
      const minibatch = words.number('actor_rollout_ref.actor.ppo_mini_batch_size');
      assert.equal(told.steps, Math.ceil(6 / minibatch) * words.number('actor_rollout_ref.actor.ppo_epochs'));
      return told.steps;
    };
    assert.equal(steps({ minibatch: 8, minibatchUnit: 'sequence' }), 3);
    assert.equal(steps({ minibatch: 3, minibatchUnit: 'task' }), 2);
    assert.equal(steps({ minibatch: 6, minibatchUnit: 'task', passes: 2 }), 2);
    const [size, epochs] = ['actor_rollout_ref.actor.ppo_mini_batch_size=3', 'actor_rollout_ref.actor.ppo_epochs=3'];
    assert.equal(steps({ minibatch: 8 }, `${size} ${epochs}`), 6);
  });

  it('have rows with what a reward needs, as text', async () => {
    const [task] = agentJob().tasks;
    const [line = '', ...rest] = agentRows([task!]).split('\n');
    assert.deepEqual(rest, ['']);
    assert.deepEqual(JSON.parse(line), {
      data_source: 'genenv/storekeeper',
      ability: 'task',
      prompt: task!.messages.map(({ role, content }) => ({ role, content })),
      reward_model: {
        style: 'rule',
        ground_truth: JSON.stringify({ task: task!.id, evaluation: task!.evaluation, gold: task!.gold }),
      },
      extra_info: { split: 'train', index: 0, task: task!.id },
    });
    const thought = { role: 'assistant' as const, content: 'b', reasoning: 'c', tokens: [1] };
    const bytes = await environmentRows([[{ role: 'user', content: 'ä' }, thought]]);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    assert(file instanceof ArrayBuffer);
    assert.deepEqual(await parquetReadObjects({ file }), [
      {
        messages: [
          { role: 'user', content: 'ä' },
          { role: 'assistant', content: 'b' },
        ],
      },
    ]);
  });
});
