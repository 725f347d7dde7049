/** The package by itself, in a piece of its own: nobody loads it but a page that runs a project. */
export { WebContainer } from "@webcontainer/api";
