/** What a project may bring for the model: files of rules, and skills. */
const TOLD = [
  /^(?:.*\/)?agents\.md$/,
  /^\.clinerules(?:\/|$)/,
  /^\.(?:cursor|windsurf)rules$/,
  /^\.bolt\/prompt$/,
  /^\.cursor\/rules\//,
  /^\.(?:agents|claude)\/skills\/.*\/skill\.md$/,
];

/** Whether the model would be told a file of that path by itself, as rules or as a skill. */
export const toldToModel = (path: string) => TOLD.some((one) => one.test(path.toLowerCase()));
