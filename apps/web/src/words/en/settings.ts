export const settings = {
  settings: "Settings",
};
