import {
  currentPrincipal,
  monthBudgetReached,
  type Accounts,
  type ModelRules,
  type Purpose,
} from "@treadle/accounts";
import { meterModel, type Model } from "@treadle/agent";
import { ApiFailure } from "@treadle/common";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import type { ModelSettings, ModelUse } from "./model-source.ts";

/**
 * The models as people of a team have them: only those that they may use, with their own keys, in the ledger, and within
 * the budgets of a month.
 */
export function teamModels(
  models: ModelSettings,
  parts: {
    accounts: Pick<Accounts, "budgets" | "spending" | "members">;
    rules: ModelRules;
    store: Pick<Store, "projects">;
    onNotice(text: string): void;
  },
): ModelSettings {
  const { accounts, rules, store, onNotice } = parts;
  const { budgets, spending, members } = accounts;

  async function purposeOf({ person: named, project: id, run }: ModelUse) {
    const person = named ?? currentPrincipal()?.person;
    if (person === undefined) return undefined;
    // A copy for a parallel request is on the account of its project.
    const project = id && ((await store.projects.get(id))?.parallelOf ?? id);
    const team = project && (await members.teamIn(person, project));
    return { person, team, project, run } satisfies Purpose;
  }

  /** Which models may be used by whoever asks; all for work of nobody in particular. */
  async function allowed(person = currentPrincipal()?.person) {
    return person === undefined ? () => true : rules.allowedFor(person);
  }

  async function withPrice(model: Model): Promise<Model> {
    if (model.price) return model;
    const price = (await rules.prices())[model.id];
    if (!price) return model;
    const { input, cachedInput = input, output } = price;
    return { ...model, price: { input, cachedInput, cacheWrite: input, output } };
  }

  async function meter(model: Model, purpose: Purpose): Promise<Model> {
    let reached: Sentence | undefined;
    const readBudgets = async () => {
      reached = monthBudgetReached(await budgets.readFor(purpose));
    };
    await readBudgets();
    if (reached) throw new ApiFailure(409, "budget", reached);
    const metered = meterModel(model, async (usage) => {
      try {
        await spending.record({ ...purpose, model: model.id, usage });
        await readBudgets();
      } catch (error) {
        // The model has answered already: a row that could not be written must not end the run.
        onNotice(`A model call is not in the ledger: ${(error as Error).message}`);
      }
    });
    return { ...metered, budgetReached: () => reached };
  }

  const team: Pick<ModelSettings, "resolve" | "info" | "chosen"> = {
    async resolve(id, use) {
      const purpose = use && (await purposeOf(use));
      const isDemo = id.startsWith("demo:");
      if (!isDemo && !(await allowed(purpose?.person))(id))
        throw new ApiFailure(
          403,
          "model-not-allowed",
          sentence("model-not-allowed", { model: id }),
        );
      const asking = purpose ?? (await purposeOf({}));
      const provider = id.slice(0, id.indexOf(":"));
      const key = isDemo || !asking ? undefined : await rules.keyFor(asking, provider);
      const model = await withPrice(await models.resolve(id, { ...use, key }));
      return purpose && !isDemo ? meter(model, purpose) : model;
    },
    async info() {
      const info = await models.info();
      const person = currentPrincipal()?.person;
      const may = await allowed(person);
      const own =
        person === undefined ? [] : await rules.keyProviders({ kind: "person", id: person });
      const providers = info.providers.map((provider) => ({
        ...provider,
        ...(own.includes(provider.id) ? { source: "page" as const } : {}),
        models: provider.models.filter(({ id }) => may(id)),
      }));
      const isOffered = info.chosen !== undefined && may(info.chosen);
      const [first] = providers.flatMap((provider) => (provider.source ? provider.models : []));
      return { ...info, providers, chosen: isOffered ? info.chosen : first?.id };
    },
    async chosen() {
      const chosen = await models.chosen();
      return chosen !== undefined && (await allowed())(chosen)
        ? chosen
        : (await team.info()).chosen;
    },
  };
  return { ...models, ...team };
}
