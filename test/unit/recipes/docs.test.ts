import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { AlfworldRecipe } from '../../../src/benchmarks/recipes/alfworld.ts';
import { ApiBankRecipe } from '../../../src/benchmarks/recipes/apiBank.ts';
import { BamboogleRecipe } from '../../../src/benchmarks/recipes/bamboogle.ts';
import { BfclRecipe } from '../../../src/benchmarks/recipes/bfcl/bfcl.ts';
import { TravelPlannerRecipe } from '../../../src/benchmarks/recipes/travelPlanner.ts';
import { alfworldSeed, bamboogleSeed, bfclSeed, contextOf, rulesOf } from '../../support/recipes/seeds.ts';

describe('documentation of the recipes', () => {
  it('shows what the environment reads, word for word', async () => {
    const page = await readFile(new URL('../../../docs/benchmarks/recipes.md', import.meta.url), 'utf8');
    const rules = await rulesOf('bfcl', 'bamboogle');
    const calls = bfclSeed();
    for (const [recipe, seed] of [
      [new BfclRecipe(rules), calls],
      [new ApiBankRecipe(rules, new Map()), calls],
      [new BamboogleRecipe(rules), bamboogleSeed()],
      [new AlfworldRecipe(), alfworldSeed()],
      [new TravelPlannerRecipe(rules), calls],
    ] as const) {
      const [system] = recipe.environmentPrompt(contextOf(seed));
      for (const part of (system?.content ?? '').split('\n\n')) {
        assert.ok(page.includes(`\`\`\`text\n${part}\n\`\`\``), `${recipe.name}: ${part}`);
      }
    }
  });
});
