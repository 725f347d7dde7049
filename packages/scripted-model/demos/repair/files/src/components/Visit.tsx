const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const HOURS = new Map([
  ["Tuesday", { opens: "11:00", closes: "17:00" }],
  ["Wednesday", { opens: "11:00", closes: "17:00" }],
  ["Thursday", { opens: "11:00", closes: "21:00" }],
  ["Friday", { opens: "11:00", closes: "17:00" }],
  ["Saturday", { opens: "10:00", closes: "18:00" }],
  ["Sunday", { opens: "10:00", closes: "18:00" }],
]);

export function Visit() {
  return (
    <table className="hours">
      <caption>Opening hours</caption>
      <tbody>
        {DAYS.map((day) => {
          const hours = HOURS.get(day)!;
          return (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>
                {hours.opens} to {hours.closes}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
