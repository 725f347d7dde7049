export const HELP = `treadle: say what you want in one sentence, get a web app that was checked to work.

  treadle [serve]            start the server and open the page
      --port N               default 4173, or TREADLE_PORT
      --host ADDRESS         default 127.0.0.1
      --data DIR             where everything is kept; default ~/.treadle, or TREADLE_DATA
      --no-open              do not open a browser
  treadle run "PROMPT"       build without a browser; exit status 0 verified, 1 failed, 2 usage,
                             3 unverified, 4 budget, 5 waiting for a person;
                             a run that changes nothing ends as the project stands: 3 if nobody
                             has looked at it yet
                             (it may point at things: @src/App.tsx:1-40 @src/ @https://… @diff)
      --dir DIR              the folder to build in, made if it is not there; it is yours, and
                             runs with npm run dev
      --model PROVIDER:ID    default TREADLE_MODEL, or what the page has chosen
      --plan-model PROVIDER:ID  for turns that only plan; default the model above
      --dialect native|artifact|tags
      --max-steps N  --max-cost USD  --timeout SECONDS
      --approve ask|safe|auto  what a person would be asked about: each change, commands, or only
                             what is obeyed outside the sandbox; a question ends the run with 5
      --accept-rules         rules, skills and checks that a program changed hold as they stand
      --allow-host HOST      a host that the app and its pages may reach from now on, kept with the
                             folder; may be given several times
      --plan                 change nothing, print a plan
      --json                 one log event a line, the result last
  treadle check [DIR]        the verdict of any web project as it stands, without a model: installed,
                             built, served, looked at in a browser, its own checks run; exit status
                             0 verified, 1 failed, 2 usage, 3 unverified. It works in the folder
                             itself, in a sandbox, as npm install and npm run build would
      --report DIR           report.md, report.sarif and pictures of the pages, for people and for CI
      --timeout SECONDS      what was not seen by then stays open
      --allow-host HOST      as for run
      --json                 one log event a line, the result last
  treadle parse [FILE]       a saved model answer to events, or with --dir to files
      --dialect artifact|tags  --dir DIR  --json
      --exact                to the letter: code fences and escapes around things stay what they are
  treadle backup FILE        everything that is kept (projects, chats, checkpoints, settings, keys)
                             in one archive, also while the server runs
  treadle restore FILE       a data folder from it, where there is none yet
      --data DIR             as for serve
  treadle doctor             what this machine can and cannot do, and what mends it
      --attacks              let hostile code try to leave its sandbox, and show what came of it

  --unsafe-no-sandbox        (serve, run, check) let generated code run as you, unprotected
`;
