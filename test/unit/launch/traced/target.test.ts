import assert from 'node:assert/strict';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { targetOfEnvironment } from '../../../../src/launch/traced/target.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { settingsTold, targetOfRunner, variablesOf } from '../../../../src/features/runner/node/tracesOfRunner.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';

const endpoint = 'http://collector:4318';

describe('where spans go', () => {
  it('is nowhere unless the standard variables say it', () => {
    assert.equal(targetOfEnvironment({}), null);
    assert.equal(targetOfEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), null);
    assert.equal(targetOfEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }), null);
    assert.equal(targetOfEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }), null);
  });

  it('is by the address of traces, else below the common one', () => {
    const url = (environment: Record<string, string>) => targetOfEnvironment(environment)?.url;
    assert.equal(url({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }), `${endpoint}/v1/traces`);
    const both = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a/traces' };
    assert.equal(url(both), 'https://a/traces');
  });

  it('is by a list of exporters with blanks, too', () => {
    const lists = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'console, otlp' };
    assert.equal(targetOfEnvironment(lists)?.url, `${endpoint}/v1/traces`);
  });

  it('is under the service of OTEL_SERVICE_NAME, else of the attributes', () => {
    const attributes = 'service.name=shared,team=a';
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_RESOURCE_ATTRIBUTES: attributes };
    const { service, resource } = targetOfEnvironment({ ...variables, OTEL_SERVICE_NAME: 'mine' }) ?? {};
    assert.deepEqual({ service, resource }, { service: 'mine', resource: { team: 'a' } });
    assert.equal(targetOfEnvironment(variables)?.service, 'shared');
  });

  it('has the headers and attributes of the variables, texts only where asked for', () => {
    const target = targetOfEnvironment({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x = y ,broken,bad=%zz',
      OTEL_RESOURCE_ATTRIBUTES: 'team=a%2Cb',
    });
    assert.deepEqual(target, {
      url: `${endpoint}/v1/traces`,
      headers: { authorization: 'Basic YQ==', x: 'y', bad: '%zz' },
      ...{ content: false, service: 'genenv', resource: { team: 'a,b' } },
    });
  });

  it('reaches a runner as key names, and the runner gets the key for that origin only', async () => {
    const settings = { url: `${endpoint}/v1/traces`, key: '${secret:otel}', content: true };
    assert.deepEqual(variablesOf({ ...settings, url: '' }), {});
    const told = settingsTold(variablesOf(settings));
    assert.deepEqual(told, settings);
    const keys = new GrantedKeys(environmentKeys({}));
    keys.give([
      { key: '${secret:otel}', origin: endpoint, value: 'Bearer t' },
      { key: '${secret:other}', origin: 'http://elsewhere', value: 'x' },
    ]);
    const asking = { experiment: resolveExperiment({ version: 1, preset: 'embedded' }), servers: [] };
    assert.deepEqual(keys.forRun(asking), []);
    assert.deepEqual(
      keys.forRun(asking, told).map(({ origin }) => origin),
      [endpoint],
    );
    const target = targetOfRunner(variablesOf(settings), keys);
    assert.equal(await target?.proof?.keys.find('${secret:otel}', target.url), 'Bearer t');
    await assert.rejects(async () => target?.proof?.keys.find('${secret:otel}', 'http://elsewhere'));
  });
});
