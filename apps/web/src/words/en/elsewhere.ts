export const elsewhere = {
  nothing: "Nothing is published yet. A release is sent once it is.",
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
      "Its files are sent as they are answered with here. Without a site, one is made under the name that it has here.",
    vercel:
      "Its files are sent as they are answered with here; nothing is built there. Without a project, it takes the name that it has here.",
    cloudflare:
      "Its files become the static assets of a Worker. The account's id stands in its dashboard's address.",
    "github-pages":
      "Its files are pushed to a branch of their own, which GitHub shows. The repository has to be there.",
    coolify:
      "The release is pushed to a branch of a repository, with a Dockerfile, and Coolify builds and runs it.",
    dokploy:
      "The release is pushed to a branch of a repository, with a Dockerfile, and Dokploy builds and runs it.",
    rsync:
      "Its files are copied into a folder of a server that Treadle reaches by ssh. What is no longer part of it is removed there.",
    registry:
      "An image is built by the Docker of this machine and pushed, under the release's number and as latest.",
  },
  sitesOnly:
    "This is an app with a server of its own; files alone are taken here. Coolify, Dokploy and a container registry take it.",
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
  tokenNote:
    "It stays on the server, for all projects. It is shown to nobody, and no app gets to see it.",
  tokenKept: "A token is kept on the server.",
  forgetToken: "Forget it",
  meant: "It is meant: send it there",
  send: (release: number) => `Send release ${release}`,
  stop: "Stop",
  onItsWay: "It is on its way",
  deployments: "Sent before",
  states: { sending: "on its way", ready: "is there", failed: "failed", stopped: "stopped" },
};
