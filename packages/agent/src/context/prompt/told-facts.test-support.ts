const AGENT = "packages/agent/src";
const HERE = `${AGENT}/context/prompt/told-names.test.ts`;
const CODE = `${AGENT}/context/prompt/told-code.test.ts`;
const ACCOUNTS = "packages/workspace/templates/accounts/test/accounts.test.ts";
const MAIL = "packages/egress/src/mail-start.test.ts";
const JOB = "packages/publish/src/jobs/jobs.test.ts > the example job for the model is valid";
const FULLSTACK = `${CODE} > what the sign-in skill says of passwords and tries is what the fullstack template does`;
const FULLSTACK_ADMIN = "packages/workspace/src/templates/templates.test.ts > fullstack lets an administrator change the first password, slows down wrong ones and refuses other sites"; // prettier-ignore
const SIGN_IN = `${CODE} > what the sign-in skill says of the accounts template's code stands there`;
const TOOLS = `${AGENT}/tools/tools.test.ts`;
const USE = `${AGENT}/tools/use-preview.test.ts`;
const COPIED = `${AGENT}/evidence/looks/copied-app.test.ts`;
const FINISH = `${AGENT}/loop/finish.test.ts`;
const JUDGE = "packages/protocol/src/evidence/judge.test.ts";
const STEP = "packages/browser/src/look/steps/take-step.test.ts";
const DATABASE = "packages/app-database/src/inside/app-database.test.ts";
const CONTRACT = "packages/workspace/src/contract";

/**
 * Facts about Treadle in the texts for the model: by file (relative to `packages/agent/src`), the
 * literal words, and the test that proves them, as `path > name`. `told-facts.test.ts` demands that
 * the words occur, that the test exists, and that every other sentence is marked as advice.
 */
export const FACTS: Record<string, [words: string, test: string][]> = {
  "context/prompt/native.md": [
    ["A new project begins with use_template", `${TOOLS} > writes the files and installs`],
    ["it needs no npm install", `${TOOLS} > writes the files and installs`],
    ["Calls run in the order you write them", `${AGENT}/loop/run-turn.test.ts`],
    ["A running dev server takes changed files by itself", "e2e/templates.test.ts > %s is verified, has no error, and shows a change by hand"], // prettier-ignore
  ],
  "context/prompt/system.md": [
    ["with Node, npm and bash", `${CONTRACT}/commands.test-support.ts`],
    ["Commands reach the npm registry and what the person allows", "packages/workspace/src/contract/describe-ways-out.test-support.ts > is refused at once for %s, and the command's output and result say so"], // prettier-ignore
    ["What the person changed by hand stays", `${TOOLS} > is not overwritten until the model was told about the person's change`], // prettier-ignore
    ["with the scripts `dev`, which starts the server", `${HERE} > every template with a package.json has the scripts that the instructions name`], // prettier-ignore
    ["`on 2026-03-01 at 09:30` (first, servers in Node too)", `${AGENT}/project/start-at.test.ts`],
    ["Servers run TypeScript with `tsx`", `${HERE} > servers of templates run TypeScript by tsx`],
    ["listen on `PORT`", `${AGENT}/evidence/serve/ask-port.test.ts`],
    ["these outlive going back to older sources", `${CONTRACT}/data-files.test-support.ts`],
    [
      "is installed, built, served and opened in a browser",
      `${AGENT}/evidence/gather-evidence.test.ts`,
    ],
    [
      "It runs if each of these holds",
      `${JUDGE} > runs if every part passed and no check shows the request`,
    ],
    [
      "It is verified if a check",
      `${JUDGE} > are verified if a check that counts shows each of them`,
    ],
    ["a wrong step names all forms", `${TOOLS} > is written, and an unknown step is reported at once with every valid form`], // prettier-ignore
    ["`## Keeps a task`", `${HERE} > every step that the instructions and tools show is one`],
    ["numbers whole, in any case", "packages/browser/src/look/steps/text-part.test.ts"],
    ["what one expects changes only as asked: name it in `asked`", `${AGENT}/checks/which-checks-count.test.ts > an older check may take another way to what it expects, but expects something else only where the turn names it`], // prettier-ignore
    ["Names and texts match in parts,", `${STEP} > reads text as a person does, across elements and with the displayed case`], // prettier-ignore
    ["what passes without your change", `${COPIED} > proves nothing about the turn if it also passes on the revision before`], // prettier-ignore
    ["or for one text alone, proves nothing", `${AGENT}/evidence/checks/prove-further.test.ts > proves nothing if the server accepts it and returns its own`], // prettier-ignore
    ["`## Before each`: steps for all", "packages/protocol/src/checks/parse-checks.test.ts"],
    ["Each meets a copy of the person's data", `${COPIED} > is observed in a copy, and each check runs on the person's current data`], // prettier-ignore
  ],
  "tools/ask-user.md": [["wait for it", `${AGENT}/loop/ask.test.ts > resumes from its log and its messages alone, question after question, up to its verdict`]], // prettier-ignore
  "tools/delete-file.md": [["a file or a folder", `${TOOLS} > delete_file keeps what the person has just written, in a folder as well`]], // prettier-ignore
  "tools/edit-file.md": [
    ["Replace passages of an existing file", `${TOOLS} > applies all edits`],
    ["enough to be unique", "packages/dialects/src/edits/apply.test.ts"],
    ["with `all` everywhere", "packages/dialects/src/edits/apply.test.ts"],
    ["All edits apply, or none", "packages/dialects/src/edits/apply.test.ts > applies all or none, and names every edit that fails"], // prettier-ignore
  ],
  "tools/fetch-url.md": [["a public web page, as Markdown", `${AGENT}/fetch/page-markdown.test.ts > HTML is read as Markdown, without its scripts and menus`]], // prettier-ignore
  "tools/finish.md": [
    [
      "End your turn",
      `${FINISH} > finish ends the turn without another answer, and its text accompanies the verdict`,
    ],
    ["`done`: what there is now", `${FINISH} > finish ends the turn without another answer, and its text accompanies the verdict`], // prettier-ignore
    ["`try`: how to try it", `${FINISH} > finish ends the turn without another answer, and its text accompanies the verdict`], // prettier-ignore
    ["then it ends as Runs until the person agrees", `${AGENT}/verdict/what-was-asked.test.ts`],
    ["`name`: of a new project", "packages/server/src/runs/name-project.test.ts"],
  ],
  "tools/inspect-preview.md": [["read its roles, names, states and text", `${USE} > inspect_preview takes no step and describes the page`]], // prettier-ignore
  "tools/list-files.md": [["without dependencies and caches", `${CONTRACT}/files.test-support.ts`]],
  "tools/outline.md": [
    ["functions, components, classes, types, exports", `${AGENT}/tools/outlines/read-outline.parser.test.ts > has functions, components, types, classes, routes and exports with their lines`], // prettier-ignore
    ["a file, a folder, or several", `${AGENT}/tools/outlines/read-outline.parser.test.ts > shows one file, several, or a folder, in planning turns too`], // prettier-ignore
  ],
  "tools/project-skill.md": [
    ["comes with the project", `${AGENT}/context/skills/skills.test.ts > shows a project's as the project's text, which cannot leave its fence`], // prettier-ignore
    ["it can allow you nothing", `${AGENT}/context/skills/skills.test.ts`],
  ],
  "tools/read-build-result.md": [
    [
      "installed, built, served and looked at",
      `${TOOLS} > read_build_result waits no longer than the given time`,
    ],
    ["by itself at the end of your turn", `${AGENT}/loop/run-turn.test.ts`],
  ],
  "tools/read-file.md": [
    ["Read a text file", `${TOOLS} > labels a file that is not text`],
    [
      "long files come in parts",
      `${TOOLS} > reads a range of lines, and says how to read the rest`,
    ],
  ],
  "tools/rename-file.md": [["a file or a folder", `${AGENT}/tools/rename-file.test.ts`]],
  "tools/run-command.md": [
    ["in the project's folder and wait for its end", `${TOOLS} > gives the exit code, and head and tail of a long output without escape sequences (A41, F18)`], // prettier-ignore
    ["Nobody answers its questions", `${CONTRACT}/commands.test-support.ts`],
  ],
  "tools/search-files.md": [
    ["Find lines in the project's files", `${TOOLS} > search_files names each file once, and tells matches from context lines`], // prettier-ignore
    ["or a regular expression with `regex`", `${CONTRACT}/search.test-support.ts`],
    ["`glob` narrows the files", `${CONTRACT}/search.test-support.ts`],
    ["lines beside each match", `${TOOLS} > search_files names each file once, and tells matches from context lines`], // prettier-ignore
  ],
  "tools/start-server.md": [
    ["in place of the one that runs", `${CONTRACT}/servers.test-support.ts`],
    [
      "Installs what is missing first",
      `${USE} > installs missing packages before it starts anything`,
    ],
  ],
  "tools/todo.md": [["the list of work that the person sees and may change", `${AGENT}/context/todo/todo.test.ts > includes the person's change before the next step, once, after all earlier messages`]], // prettier-ignore
  "tools/use-preview.md": [
    ["on a copy of its data", `${AGENT}/preview/tried-app.test.ts`],
    [
      "Steps are written as in checks",
      `${USE} > accepts steps in the form of checks, and in parts`,
    ],
    ["what one call did is there for the next", `${AGENT}/preview/tried-app.test.ts > is one copy for all calls, which ends with the run`], // prettier-ignore
    ["`on 2026-03-02`", `${AGENT}/preview/tried-app.test.ts > is on the day that the steps begin with, its server too, and keeps what earlier calls did`], // prettier-ignore
    ["Stops at the first step that fails", `${USE} > gives an error result if a step failed`],
    [
      "Starts the server where none runs",
      `${USE} > starts the server with its packages installed if none runs, and says so`,
    ],
  ],
  "tools/use-skill.md": [["Read a skill", `${AGENT}/context/skills/skills.test.ts`]],
  "tools/use-template.md": [
    ["installed, and see its files", `${TOOLS} > shows small files in full, and outlines of the others`], // prettier-ignore
    ["`react`, `vue`, `svelte` or `vanilla`", `${HERE} > describe templates correctly`],
    [
      "`static` (plain HTML",
      `${TOOLS} > installs nothing without a package.json, and says how the app is served`,
    ],
  ],
  "tools/write-file.md": [["creating it and its folders", `${CONTRACT}/files.test-support.ts`]],
  "context/skills/own/accessibility/SKILL.md": [["`inspect_preview` shows roles and names", `${USE} > inspect_preview takes no step and describes the page`]], // prettier-ignore
  "context/skills/own/ai-app/SKILL.md": [["it comes to the server as an environment variable", `${CONTRACT}/servers.test-support.ts`]], // prettier-ignore
  "context/skills/own/api/SKILL.md": [
    ["A check without a page is made of requests", `${STEP} > requests the server as the page would, with its cookies but without the app's functions`], // prettier-ignore
    ["then `expect status 201` and", `${STEP} > requests the server as the page would, with its cookies but without the app's functions`], // prettier-ignore
    ['`expect "Emma"` reads the page', `${STEP} > requests the server as the page would, with its cookies but without the app's functions`], // prettier-ignore
    ["Take the `hono` template", `${HERE} > describe templates correctly`],
    [
      "What runs at times once it is published stands in `treadle.json`",
      "packages/publish/src/jobs/jobs.test.ts",
    ],
    ["five cron fields, UTC where no zone is named", "packages/publish/src/jobs/jobs.test.ts"],
    ['`{"jobs": [{"name":', JOB],
    ['"digest", "schedule":', JOB],
    ['"0 7 * * *", "timeZone":', JOB],
    ['"Europe/Paris", "command":', JOB],
  ],
  "context/skills/own/data/SKILL.md": [
    ["For Node 20, where the app may be started outside", `${CODE} > the package that the data skill names for Node 20 is the one that the accounts template has`], // prettier-ignore
    ["const ran = db.prepare", `${CODE} > the code that the data skill shows runs its migration once, and keeps the list that Treadle keeps`], // prettier-ignore
    ["CREATE TABLE tasks", `${CODE} > the code that the data skill shows runs its migration once, and keeps the list that Treadle keeps`], // prettier-ignore
    ["with the `fullstack` template", `${HERE} > describe templates correctly`],
    ["or in one folder of the project", `${DATABASE} > may be in a subfolder of the project, with their seed and database, if it is the only one`], // prettier-ignore
    ["if `echo $PGHOST` prints an address", "packages/app-database/src/postgres/apps-postgres.test.ts"], // prettier-ignore
    ["a `*.db` is the app's own data", `${CONTRACT}/data-files.test-support.ts`],
    [
      "The preview and the published app each have their own",
      "packages/server/src/publishing/publications.test.ts",
    ],
    ["Foreign keys are on", `${DATABASE} > leave foreign keys enabled for later queries`],
    ["Treadle runs what is new of them", `${AGENT}/loop/migrations.test.ts > is run on the preview's database when it is written, and its result is reported`], // prettier-ignore
    ["Each runs in a transaction of its own", `${DATABASE} > do not end their own transaction, and break no foreign key`], // prettier-ignore
    ["what came of it is in the call's result", `${AGENT}/loop/migrations.test.ts > is run on the preview's database when it is written, and its result is reported`], // prettier-ignore
    ["which makes the preview's database anew", `${DATABASE} > are inserted again after a reset, and the previous content is saved`], // prettier-ignore
    ["Foreign keys wait until the end of the migration", `${DATABASE} > do not end their own transaction, and break no foreign key`], // prettier-ignore
    [
      "which runs once, after the migrations",
      `${DATABASE} > are inserted once into a database without rows`,
    ],
    [
      '`treadle-db query "SELECT …"`',
      `${DATABASE} > answers SQL with text, and runs several statements all or none`,
    ],
    ["and keeps the same list", "packages/publish/src/release/container-migrate.test.ts > runs new migrations, each once and in order, and keeps the app's rows"], // prettier-ignore
    ["makes it this app's database", "packages/app-database/src/inside/postgres-database.test.ts"],
    ["lead there unless a `.env` of the project names them", "packages/workspace/src/data-conventions/postgres-environment.test.ts > leaves variables of the project's own .env to it, and is consistent with them"], // prettier-ignore
    ["is reached by its name once its `host:port` is allowed", "packages/workspace/src/contract/describe-ways-out.test-support.ts"], // prettier-ignore
    [
      "cannot be looked up here",
      "packages/workspace/src/contract/describe-ways-out.test-support.ts",
    ],
  ],
  "context/skills/own/nextjs/SKILL.md": [
    ["Start from the `next` template", `${HERE} > describe templates correctly`],
    [
      "cannot be reached from the sandbox",
      "packages/workspace/src/contract/describe-ways-out.test-support.ts",
    ],
    ["fetches from Google while it builds and fails here", "packages/workspace/src/contract/describe-ways-out.test-support.ts"], // prettier-ignore
  ],
  "context/skills/own/react/SKILL.md": [
    ["Start from the `react` template", `${HERE} > describe templates correctly`],
    ["`src/main.tsx` mounts", `${HERE} > exist in the template if a skill names them`],
    [
      "Plain CSS with variables in `src/index.css`",
      `${HERE} > exist in the template if a skill names them`,
    ],
  ],
  "context/skills/own/sign-in/SKILL.md": [
    ["begin with `fullstack`", `${HERE} > describe templates correctly`],
    ["begin with the `accounts` template", `${HERE} > describe templates correctly`],
    [
      "`src/auth.ts` has better-auth's options",
      `${HERE} > exist in the template if a skill names them`,
    ],
    [
      "Treadle runs them, and `src/migrate.ts` does",
      `${HERE} > the accounts template brings numbered migrations, and what runs them without Treadle`,
    ],
    [
      "`BETTER_AUTH_SECRET` from the environment",
      `${HERE} > the accounts template makes its secret in .data/.env`,
    ],
    ["Two instances share them, for http and https", `${ACCOUNTS} > over https the cookie is secure, and nobody is led to another site`], // prettier-ignore
    ["`BETTER_AUTH_URL` stays unset", SIGN_IN],
    ["what stands before `app.use(requireUser)` is open", `${ACCOUNTS} > without a sign-in everything but the open pages is closed, and a sign-out ends the session`], // prettier-ignore
    ["forms go through `askAuth`", SIGN_IN],
    ["that goes past the limits of tries", `${ACCOUNTS} > wrong passwords are slowed down`],
    ["shows how what people own is kept", `${ACCOUNTS} > one person's notes are not there for another, to read, change or delete`], // prettier-ignore
    ["has two people, a foreign form, wrong passwords, a link that works once", `${ACCOUNTS} > a new password by a link that works once, and ends other sessions`], // prettier-ignore
    ["`fromOwnPages` compares the `Origin`", `${ACCOUNTS} > forms of other sites are refused`],
    ["The referrer policy is `same-origin`", SIGN_IN],
    ["After signing in go to `nextPage(next)`", `${ACCOUNTS} > over https the cookie is secure, and nobody is led to another site`], // prettier-ignore
    ["`rateLimit` with `storage:", SIGN_IN],
    ['"database"` holds over restarts', SIGN_IN],
    ["Each check and each look at the preview comes from an address of its own", "packages/gateway/src/look-gateway.test.ts > each look has a separate address, so that it does not use up an app's limits per address"], // prettier-ignore
    ["is mailed where the project's settings have `SMTP_URL`", `${MAIL} > sends mail through a server that speaks first and then encrypts (STARTTLS), usual at port 587`], // prettier-ignore
    ["`APP_URL` is there by itself", "packages/egress/src/project-settings.test.ts > puts the published address into the server's environment, unless a secret has that name"], // prettier-ignore
    ["Mail leaves through the proxy in `HTTPS_PROXY` and encrypted alone", `${MAIL} > A60 neither a login nor a mail is sent unencrypted, and the sender is told`], // prettier-ignore
    ["At least 10 characters", SIGN_IN],
    ["`fullstack` has the form", FULLSTACK_ADMIN],
    ["`.env`, which is not published", "packages/publish/src/gate/files/missing-variables.test.ts > names variables of a .env file that the published app lacks"], // prettier-ignore
    ["As `fullstack` does it:", FULLSTACK],
    ["`scrypt` from `node:crypto`", FULLSTACK],
    ["Five wrong tries a minute", FULLSTACK_ADMIN],
    ["Before an app is published two accounts are made", "packages/server/src/publishing/publications.test.ts > A135 is tested with two accounts in an isolated copy, before it has real data"], // prettier-ignore
  ],
  "context/skills/own/svelte/SKILL.md": [["Start from the `svelte` template", `${HERE} > describe templates correctly`]], // prettier-ignore
  "context/skills/own/vanilla/SKILL.md": [["Use the `vanilla` template", `${HERE} > describe templates correctly`]], // prettier-ignore
  "context/skills/own/vue/SKILL.md": [["Start from the `vue` template", `${HERE} > describe templates correctly`]], // prettier-ignore
};
