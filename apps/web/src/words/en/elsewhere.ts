export const elsewhere = {
  nothing: "Nothing is published yet. Publish first, then send the release.",
  target: "Where to",
  names: {
    netlify: "Netlify",
    vercel: "Vercel",
    cloudflare: "Cloudflare Workers",
    "github-pages": "GitHub Pages",
    coolify: "Coolify",
    dokploy: "Dokploy",
    rsync: "Any server, by rsync",
    registry: "Container registry",
  },
  about: {
    netlify:
      "Its files are sent as they are served here. Without a site, one is made under the name that it has here.",
    vercel:
      "Its files are sent as they are served here; nothing is built there. Without a project, it takes the name that it has here.",
    cloudflare:
      "Its files become the static assets of a Worker. The account id is in the dashboard's address.",
    "github-pages":
      "Its files are pushed to a separate branch, which GitHub serves. The repository has to exist.",
    coolify:
      "The release is pushed to a branch of a repository, with a Dockerfile, and Coolify builds and runs it.",
    dokploy:
      "The release is pushed to a branch of a repository, with a Dockerfile, and Dokploy builds and runs it.",
    rsync:
      "Its files are copied into a folder of a server that Treadle reaches by ssh. Files that are no longer part of it are removed there.",
    registry:
      "Docker on this machine builds an image and pushes it, under the release's number and as latest.",
  },
  sitesOnly:
    "This app has its own server, and this host takes only files. Coolify, Dokploy and a container registry take it.",
  fields: {
    site: "Site (name or id)",
    project: "Project",
    team: "Team (id or slug)",
    account: "Account id",
    script: "Name of the Worker",
    repository: "Repository",
    branch: "Branch",
    server: "Address of the server",
    machine: "Server (id)",
    environment: "Environment",
    application: "Application (id)",
    key: "Deploy key there (id)",
    image: "Image",
    user: "User name",
    folder: "Server and folder",
    address: "Address of the site",
  },
  more: (amount: number) => `Optional (${amount})`,
  optional: (field: string) => `${field} (optional)`,
  token: "Token",
  password: "Password or token",
  tokenNote: "It is kept on the server, for all projects. It is never shown, and no app sees it.",
  tokenKept: "A token is kept on the server.",
  forgetToken: "Forget it",
  meant: "Yes, send it there",
  send: (release: number) => `Send release ${release}`,
  stop: "Stop",
  onItsWay: "It is on its way",
  deployments: "Sent before",
  states: { sending: "on its way", ready: "is there", failed: "failed", stopped: "stopped" },
};
