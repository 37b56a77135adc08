/** One side of a conversation: an instance of every tool that a record involves, and calls on them. */
import { evaluate, type World } from '../python/evaluate.ts';
import { parseExpression } from '../python/expressions.ts';
import { PythonFault } from '../python/fault.ts';
import { repr, str } from '../python/text/repr.ts';
import type { Call, Expression } from '../python/syntax.ts';
import { Dict, kindOf, Tuple, type Value } from '../python/value.ts';
import { space, word } from '../../python/text.ts';
import type { Api, Surroundings } from './api.ts';
import { bind } from './bind.ts';
import { GorillaFileSystem } from './apis/gorillaFileSystem.ts';
import { jsonDumps } from './jsonDumps.ts';
import { MathApi } from './apis/mathApi.ts';
import { MessageApi } from './apis/messageApi.ts';
import { copyOf } from './scenario.ts';
import { TicketApi } from './apis/ticketApi.ts';
import { TradingBot } from './apis/tradingBot.ts';
import { TravelApi } from './apis/travelApi.ts';
import { TwitterApi } from './apis/twitterApi.ts';
import { VehicleControlApi } from './apis/vehicleControlApi.ts';

const classes: Readonly<Record<string, (scenario: Dict, surroundings: Surroundings) => Api>> = {
  GorillaFileSystem: (scenario, surroundings) => new GorillaFileSystem(scenario, surroundings),
  MathAPI: () => new MathApi(),
  MessageAPI: (scenario) => new MessageApi(scenario),
  TwitterAPI: (scenario, surroundings) => new TwitterApi(scenario, surroundings),
  TicketAPI: (scenario) => new TicketApi(scenario),
  TradingBot: (scenario, surroundings) => new TradingBot(scenario, surroundings),
  TravelAPI: (scenario, surroundings) => new TravelApi(scenario, surroundings),
  VehicleControlAPI: (scenario, surroundings) => new VehicleControlApi(scenario, surroundings),
};

/** Names of the tools that there are. */
export const classNames = Object.keys(classes);

/** Functions that the official program refuses to call. */
const forbidden = ['kill', 'exit', 'quit', 'remove', 'unlink', 'popen', 'Popen', 'run'];

/** A word before a bracket, anywhere: in a text that is an argument too. */
const calledName = new RegExp(`(?<![${word}])([a-zA-Z_][${word}]*)[${space}]*(?=\\()`, 'gu');

export class Instances {
  readonly #apis = new Map<string, Api>();
  /** A method's name → the instance that has it. */
  readonly #owners = new Map<string, string>();
  /** An instance's name in evaluated calls → its class and itself. */
  readonly #named = new Map<string, readonly [className: string, api: Api]>();

  /** @param side told apart in the names of instances @throws PythonFault when a scenario does not fit its tool */
  constructor(side: string, config: Dict, involved: readonly string[], surroundings: Surroundings) {
    for (const className of involved) {
      const make = Object.hasOwn(classes, className) ? classes[className] : undefined;
      if (make === undefined) throw new PythonFault('value', `there is no ${className}`);
      const scenario = config.get(className);
      const api = make(scenario instanceof Dict ? copyOf(scenario) : new Dict(), surroundings);
      const name = `${side}_${className}_instance`;
      this.#apis.set(className, api);
      this.#named.set(name, [className, api]);
      for (const method of Object.keys(api.methods)) this.#owners.set(method, name);
    }
  }

  get apis(): ReadonlyMap<string, Api> {
    return this.#apis;
  }

  /** Of a method, in order; none of one that is not there. */
  parametersOf(method: string): string[] {
    const [, api] = this.#named.get(this.#owners.get(method) ?? '') ?? [];
    return (api?.methods[method]?.parameters ?? []).map((one) => (typeof one === 'string' ? one : one[0]));
  }

  /** The result of a call, as the text that is shown to a model. */
  execute(call: string): string {
    try {
      const addressed = call.replace(calledName, (_, name: string) => {
        const owner = this.#owners.get(name);
        return owner === undefined ? name : `${owner}.${name}`;
      });
      const [head = ''] = addressed.split('(');
      const called = head.includes('.') ? (head.split('.')[1] ?? '') : head;
      if (forbidden.includes(called)) throw new PythonFault('value', `Function call ${called} is not allowed.`);
      return shown(evaluate(parseExpression(addressed.replace(/^[ \t]+/, '')), this.#world));
    } catch (error) {
      if (error instanceof PythonFault) return `Error during execution: ${error.message}`;
      if (error instanceof RangeError) return 'Error during execution: maximum recursion depth exceeded';
      throw error;
    }
  }

  readonly #world: World = {
    name: (name) => {
      throw new PythonFault('value', `name '${name}' is not defined`);
    },
    call: (call, evaluated) => this.#call(call, evaluated),
  };

  #call(call: Call, evaluated: (expression: Expression) => Value): Value {
    const { callee } = call;
    if (callee.kind !== 'attribute' || callee.value.kind !== 'name') {
      if (callee.kind === 'name') throw new PythonFault('value', `name '${callee.name}' is not defined`);
      throw new PythonFault('type', 'the object is not callable');
    }
    const [className, api] = this.#named.get(callee.value.name) ?? [];
    if (className === undefined || api === undefined) {
      throw new PythonFault('value', `name '${callee.value.name}' is not defined`);
    }
    const method = Object.hasOwn(api.methods, callee.name) ? api.methods[callee.name] : undefined;
    if (method === undefined) {
      throw new PythonFault('value', `'${className}' object has no attribute '${callee.name}'`);
    }
    const positional = call.positional.flatMap((one) => {
      if (one.kind !== 'starred') return [evaluated(one)];
      const many = evaluated(one.value);
      if (Array.isArray(many)) return many;
      if (many instanceof Tuple) return [...many.items];
      throw new PythonFault('type', `argument after * must be an iterable, not ${kindOf(many)}`);
    });
    return method.run(bind(`${className}.${callee.name}`, method, positional, keywordsOf(call, evaluated)));
  }
}

function keywordsOf({ keywords }: Call, evaluated: (expression: Expression) => Value): [string, Value][] {
  const found: [string, Value][] = [];
  const names = new Set<string>();
  for (const { name, value } of keywords) {
    if (name === null) {
      const many = evaluated(value);
      if (!(many instanceof Dict)) throw new PythonFault('type', 'argument after ** must be a mapping');
      for (const [key, one] of many) {
        if (typeof key !== 'string') throw new PythonFault('type', 'keywords must be strings');
        found.push([key, one]);
      }
      continue;
    }
    if (names.has(name)) throw new PythonFault('syntax', `keyword argument repeated: ${name} (<string>, line 1)`);
    names.add(name);
    found.push([name, evaluated(value)]);
  }
  return found;
}

/** Objects become JSON where it can hold them, texts stay, everything else is what Python prints. */
function shown(value: Value): string {
  return value instanceof Dict ? (jsonDumps(value) ?? repr(value)) : str(value);
}
