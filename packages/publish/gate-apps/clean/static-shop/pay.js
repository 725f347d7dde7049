// Given out by the provider for pages.
export const key = "pk_live_{{random}}";
export const data = { url: "https://tea.example.com", key: "{{anon}}" };
