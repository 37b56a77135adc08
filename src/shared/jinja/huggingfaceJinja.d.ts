// The package's own declarations import without file endings, which a compiler for Node's modules does not follow.
declare module '@huggingface/jinja' {
  export interface Syntax {
    readonly type: string;
  }
  export interface Value {
    readonly type: string;
    value: unknown;
  }
  export class Environment {
    set(name: string, value: unknown): Value;
  }
  export class Interpreter {
    constructor(environment: Environment);
    run(program: Syntax): Value;
    evaluate(statement: Syntax | undefined, environment: Environment): Value;
  }
  export class Template {
    readonly parsed: Syntax;
    constructor(source: string);
    render(values?: Readonly<Record<string, unknown>>): string;
  }
}
