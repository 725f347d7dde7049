import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";

const BINDING = `{ "targets": [{ "target_name": "one", "sources": ["one.c"] }] }`;
const SOURCE = `#include <node_api.h>
static napi_value Init(napi_env env, napi_value exports) {
  napi_value one;
  napi_create_int32(env, 41, &one);
  return one;
}
NAPI_MODULE(one, Init)
`;

export function describeNativeModules(contract: Contract): void {
  const { exited, openNew, apart } = contract;
  describe.concurrent("native modules", () => {
    apart(
      "W150",
      "are built with the headers of the running Node, without any network",
      async () => {
        const workspace = await openNew();
        await workspace.files.write(toProjectPath("binding.gyp"), BINDING);
        await workspace.files.write(toProjectPath("one.c"), SOURCE);
        const exit = exited(
          await workspace.run(
            'node "$TREADLE_NPM/node_modules/node-gyp/bin/node-gyp.js" rebuild --release && node -p "require(\'./build/Release/one.node\') + 1"; npm --version',
          ),
        );
        expect(exit.output).toMatch(/\n42\n/);
        // npm would warn at each command about an unknown setting.
        expect(exit.output).not.toContain("npm warn");
        await workspace.stop();
      },
    );
  });
}
