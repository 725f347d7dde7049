/** Servers that bring changed files into the running page by themselves; the others are started anew. */
const TAKES_CHANGES =
  /\b(vite|next|nuxt|nuxi|astro|remix|react-router|svelte-kit|webpack(?:-dev-server)?|parcel|rsbuild|ng|react-scripts|treadle-serve)\b/;

/** @param command with the script that it runs. */
export function takesChanges(command: string): boolean {
  return TAKES_CHANGES.test(command);
}
