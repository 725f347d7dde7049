import type { RuleCode, RuleResult } from "@treadle/fullstack-bench/types";

/** Names of the judges' rules. */
export const RULE_NAMES: Record<RuleCode, string> = {
  layout: "Layout",
  install: "install:all",
  start: "Start",
  page: "Page",
  api: "Back end",
  "database-opens": "Database directory",
  "database-reached": "Database reached",
  "rows-written": "Rows written",
  tables: "Tables",
};

/** A rule's result as a sentence for people; empty if the name and the state are enough. */
export function ruleWords(rule: RuleResult): string {
  if (rule.state === "untried") return "not tried";
  switch (rule.code) {
    case "layout":
      return rule.missing.length > 0 ? `package.json lacks: ${rule.missing.join(", ")}` : "";
    case "install": {
      const broken = rule.commands.find(({ exit }) => exit !== 0);
      return broken
        ? `“${broken.command}” ended with ${broken.exit ?? "no answer in time"}: ${lastLine(broken.output)}`
        : "";
    }
    case "start":
      if (rule.ended !== undefined)
        return `npm run dev ended with ${rule.ended}: ${lastLine(rule.output)}`;
      return rule.port === null
        ? `no http://localhost:PORT was printed within ${seconds(rule.ms)}`
        : `port ${rule.port} after ${seconds(rule.ms)}`;
    case "page":
      if (rule.status === null) return "the first address does not answer";
      if (!rule.isHtml) return `the first address is no page (status ${rule.status})`;
      return rule.isShown === false ? "the page shows nothing, or throws" : "";
    case "api": {
      const [broken] = rule.broken;
      if (broken) return `${broken.path} answers ${broken.status ?? "nothing"}`;
      return rule.state === "failed"
        ? "no address of a back end answers"
        : `${rule.asked.length} addresses asked`;
    }
    case "database-opens":
      if (rule.state === "failed") return `version ${rule.version ?? "?"}: ${lastLine(rule.error)}`;
      return rule.version === null ? "none was handed over: it began empty" : "";
    case "database-reached":
      return rule.state === "inapplicable"
        ? ""
        : `${rule.statements} statements, during ${rule.during} of ${rule.checks} checks`;
    case "rows-written":
      return rule.state === "inapplicable"
        ? ""
        : `${rule.writes} statements that write, in ${rule.checks.length} checks`;
    case "tables": {
      const missing = rule.structures.filter(({ tables }) => tables.length === 0);
      return missing.length > 0
        ? `none by its name for: ${missing.map(({ structure }) => structure).join("; ")}`
        : "";
    }
  }
}

const lastLine = (text = "") => text.trim().split("\n").at(-1) ?? "";
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
