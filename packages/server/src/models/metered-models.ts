import {
  currentPrincipal,
  monthBudgetReached,
  type Accounts,
  type Purpose,
} from "@treadle/accounts";
import { meterModel } from "@treadle/agent";
import { ApiFailure } from "@treadle/common";
import type { Sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import type { ModelSettings, ModelUse } from "./types.ts";

/** The same models; what they are asked is in the ledger and within the budgets of a month. */
export function meteredModels(
  models: ModelSettings,
  parts: {
    accounts: Pick<Accounts, "budgets" | "spending" | "members">;
    store: Pick<Store, "projects">;
    onNotice(text: string): void;
  },
): ModelSettings {
  const { accounts, store, onNotice } = parts;
  const { budgets, spending, members } = accounts;

  async function purposeOf({ person: named, project: id, run }: ModelUse) {
    const person = named ?? currentPrincipal()?.person;
    if (person === undefined) return undefined;
    // A copy for a parallel request is on the account of its project.
    const project = id && ((await store.projects.get(id))?.parallelOf ?? id);
    const team = project && (await members.teamIn(person, project));
    return { person, team, project, run } satisfies Purpose;
  }

  return Object.create(models, {
    resolve: {
      value: async (id: string, use?: ModelUse) => {
        const model = await models.resolve(id);
        const purpose = use && (await purposeOf(use));
        if (!purpose) return model;
        let reached: Sentence | undefined;
        const look = async () => {
          reached = monthBudgetReached(await budgets.readFor(purpose));
        };
        await look();
        if (reached) throw new ApiFailure(409, "budget", reached);
        const metered = meterModel(model, async (usage) => {
          try {
            await spending.record({ ...purpose, model: id, usage });
            await look();
          } catch (error) {
            // The answer is there, and a run does not end because a row is missing.
            onNotice(`A model call is not in the ledger: ${(error as Error).message}`);
          }
        });
        return { ...metered, budgetReached: () => reached };
      },
    },
  }) as ModelSettings;
}
