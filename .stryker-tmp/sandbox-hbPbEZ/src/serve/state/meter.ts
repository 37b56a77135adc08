/** Counts for people and load displays, in Prometheus' text form. */
export class Meter {
  promptTokens = 0;
  generatedTokens = 0;
  trainedTokens = 0;
  readonly #finished = new Map<string, number>();

  sampled(prompt: number, sequences: readonly { tokens: readonly number[]; stopReason: string }[]): void {
    this.promptTokens += prompt;
    for (const { tokens, stopReason } of sequences) {
      this.generatedTokens += tokens.length;
      this.#finished.set(stopReason, (this.#finished.get(stopReason) ?? 0) + 1);
    }
  }

  /** @param load completions in flight, by model */
  text(load: readonly { model: string; running: number; waiting: number }[]): string {
    const gauges = (['running', 'waiting'] as const).map((name) =>
      metric(
        `num_requests_${name}`,
        'gauge',
        `Completions ${name}.`,
        load.map(({ model, ...counts }) => [`model_name="${model}"`, counts[name]]),
      ),
    );
    const finished = [...this.#finished].map(([reason, count]): [string, number] => [
      `finished_reason="${reason}"`,
      count,
    ]);
    return [
      ...gauges,
      metric('prompt_tokens_total', 'counter', 'Tokens read.', [['', this.promptTokens]]),
      metric('generation_tokens_total', 'counter', 'Tokens sampled.', [['', this.generatedTokens]]),
      metric('trained_tokens_total', 'counter', 'Tokens that gradients were computed of.', [['', this.trainedTokens]]),
      metric('request_success_total', 'counter', 'Completions by how they ended.', finished),
    ].join('');
  }
}

function metric(name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): string {
  const full = `genenv:${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ''].join('\n');
}
