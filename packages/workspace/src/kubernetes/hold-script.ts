import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";

/** FIFO by which the first process of a container learns whom it waits for. */
export const HOLD = `${SANDBOX_PLACES.temporary}/.treadle-hold`;

/** Seconds that a pod waits for its server. */
const WAIT_SECONDS = 60;

/**
 * The first process of a pod, for bash, which reaps orphaned processes. A pod does not end with the stream that a
 * program was executed over, so this process ends it when that program is gone. It knows the program by its pid and the
 * time it started, which no other process can have, and continues it each second, since one that was stopped would not
 * notice that its server is gone. As PID 1 it cannot be killed or stopped by other processes in the container.
 */
export const holdScript = (fifo: string): string => `
trap 'exit 0' TERM
mkfifo -m 600 ${fifo} || exit 1
exec 4<>${fifo}
read -t ${WAIT_SECONDS} -u 4 held || exit 1
rm ${fifo}
started() {
  read -r line 2> /dev/null < /proc/$held/stat || return 1
  set -- \${line##*) }
  [ "$1" != Z ] && start=\${20}
}
started || exit 0
first=$start
while started && [ "$start" = "$first" ]; do
  kill -CONT $held 2> /dev/null
  read -t 1 -u 4
done
exit 0
`;

/** The first process of the container beside it, which ends with the pod. */
export const WAIT_SCRIPT = `
trap 'exit 0' TERM
mkfifo -m 600 /tmp/.wait || exit 1
exec 4<>/tmp/.wait
while :; do read -t 60 -u 4; done
`;
