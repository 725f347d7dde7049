/** Files of a project that are meant for the model: rules and skills. */
const TOLD = [
  /^(?:.*\/)?agents\.md$/,
  /^\.clinerules(?:\/|$)/,
  /^\.(?:cursor|windsurf)rules$/,
  /^\.bolt\/prompt$/,
  /^\.cursor\/rules\//,
  /^\.(?:agents|claude)\/skills\/.*\/skill\.md$/,
];

/** Whether a file at this path is given to the model automatically, as rules or as a skill. */
export const toldToModel = (path: string) => TOLD.some((one) => one.test(path.toLowerCase()));
