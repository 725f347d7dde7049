import { createCounter, type Count } from "./count.ts";
import { apply, type Trace } from "./trace.ts";

/** Characters of its prompt: 12,000 tokens, the smallest of the measured ones. */
const PROMPT = 48_000;
/** Characters of its note after a saved file about basing further edits on this content. */
const SAVED_NOTE = 330;

/**
 * Cline's protocol: the prompt, then the whole history; one tool per message; a saved edit is
 * answered with the complete file, and each user message ends with details of the environment (open
 * tabs, time, used context, mode; the list of files once). Omitted in its favour: reminders of its
 * task list, and its verification.
 */
export function countCline({ files, turns }: Trace): Count {
  const count = createCounter();
  const tabs: string[] = [];
  let history = `${"p".repeat(PROMPT)}\n`;
  let now = files;
  let pending = "";

  const environment = (list: string) =>
    [
      "<environment_details>",
      `# Visual Studio Code Visible Files\n${tabs.at(-1) ?? "(No visible files)"}`,
      `# Visual Studio Code Open Tabs\n${tabs.join("\n") || "(No open tabs)"}`,
      "# Current Time\n11/21/2026, 12:00:00 PM (UTC, UTC+0:00)",
      list,
      "# Context Window Usage\n50,000 / 200K tokens used (25%)",
      "# Current Mode\nACT MODE",
      "</environment_details>",
    ]
      .filter(Boolean)
      .join("\n\n");
  const step = (answer: string, list = "") => {
    history += `user: ${pending}\n\n${environment(list)}\n`;
    count.add(history, answer);
    history += `assistant: ${answer}\n`;
  };
  const look = (path: string) => {
    if (!tabs.includes(path)) tabs.push(path);
  };

  for (const [index, turn] of turns.entries()) {
    pending =
      index === 0
        ? `<task>\n${turn.say}\n</task>`
        : `[attempt_completion] Result:\n<feedback>\n${turn.say}\n</feedback>`;
    let list =
      index === 0 ? `# Current Working Directory Files\n${Object.keys(files).join("\n")}` : "";
    let intro = `${turn.intro}\n\n`;
    const use = (text: string) => {
      step(`${intro}${text}`, list);
      intro = "";
      list = "";
    };
    for (const path of turn.reads) {
      use(`<read_file>\n<path>${path}</path>\n</read_file>`);
      look(path);
      pending = `[read_file for '${path}'] Result:\n${now[path]}`;
    }
    const after = apply(now, turn);
    for (const { path, edits } of turn.edits) {
      const blocks = edits.map(
        (edit) => `------- SEARCH\n${edit.old}=======\n${edit.new}+++++++ REPLACE`,
      );
      use(
        `<replace_in_file>\n<path>${path}</path>\n<diff>\n${blocks.join("\n")}\n</diff>\n</replace_in_file>`,
      );
      look(path);
      pending = `[replace_in_file for '${path}'] Result:\nSaved.\n<final_file_content path="${path}">\n${after[path]}\n</final_file_content>\n${"n".repeat(SAVED_NOTE)}`;
    }
    now = after;
    use(`<attempt_completion>\n<result>\n${turn.done}\n</result>\n</attempt_completion>`);
  }
  return count;
}
