/** Shuts the ways out of a Node process before a person's code is loaded: sockets, names, requests, other programs. */
import childProcess from 'node:child_process';
import cluster from 'node:cluster';
import dgram from 'node:dgram';
import dns from 'node:dns';
import http2 from 'node:http2';
import https from 'node:https';
import inspector from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import workerThreads from 'node:worker_threads';

/** As an import it would load all of undici, for its own `WebSocket`: 50 ms of a processor at every start. */
const http = process.getBuiltinModule('node:http');

const exits: readonly (readonly [string, object, readonly string[]])[] = [
  ['node:net', net, ['connect', 'createConnection', 'createServer']],
  ['node:net', net.Socket.prototype, ['connect']],
  ['node:net', net.Server.prototype, ['listen']],
  ['node:tls', tls, ['connect', 'createServer']],
  ['node:dgram', dgram, ['createSocket', 'Socket']],
  ['node:http', http, ['request', 'get', 'createServer', 'ClientRequest']],
  ['node:https', https, ['request', 'get', 'createServer']],
  ['node:http2', http2, ['connect', 'createServer', 'createSecureServer']],
  ['node:child_process', childProcess, Object.keys(childProcess)],
  ['node:worker_threads', workerThreads, ['Worker']],
  ['node:cluster', cluster, ['fork']],
  ['node:inspector', inspector, ['open']],
  ['node:dns', dns, Object.keys(dns).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
  ['node:dns', dns.promises, Object.keys(dns.promises).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
  ['globalThis', globalThis, ['fetch', 'WebSocket', 'EventSource']],
  ['process', process, ['binding', 'dlopen']],
];

/** Replaces network functions by ones that throw with their name. */
export function closeNetwork(): void {
  for (const [module, holder, names] of exits) {
    for (const name of names) {
      if (!(holder === globalThis ? Object.hasOwn(holder, name) : typeof Reflect.get(holder, name) === 'function'))
        continue;
      const refuse = function (): never {
        throw new Error(`${module}.${name} is closed to rewards: they may not use the network (reward.network).`);
      };
      // Reading or redefining the global `WebSocket` would load undici, too.
      if (holder === globalThis) Reflect.deleteProperty(holder, name);
      Object.defineProperty(holder, name, { value: refuse, configurable: true, writable: true, enumerable: true });
    }
  }
  syncBuiltinESMExports();
}
