// Reads and presses what GNOME Shell shows. gnome-shell.sh evaluates this inside the shell; each function finds actors by their text
// or icon, which all versions of the shell have.
(() => {
  const { Clutter, GLib, Shell, St } = imports.gi;
  const seat = (Clutter.get_default_backend?.() ?? global.stage.context.get_backend()).get_default_seat();
  const pointer = seat.create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);
  const keyboard = seat.create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE);
  const now = () => GLib.get_monotonic_time();

  const all = (actor) => [actor, ...actor.get_children().flatMap(all)];
  const shown = (condition) => all(global.stage).find((actor) => actor.mapped && condition(actor));
  const icon = (name) => shown((actor) => actor instanceof St.Icon && actor.icon_name === name);
  const centre = (actor) => {
    const [x, y] = actor.get_transformed_position();
    const [width, height] = actor.get_transformed_size();
    return [Math.round(x + width / 2), Math.round(y + height / 2)];
  };

  const caption = (actor) => (actor instanceof St.Label ? actor.text : actor instanceof St.Button ? actor.label : null);
  const inBanner = (text) => all(Main.messageTray).find((actor) => actor.mapped && caption(actor)?.includes(text));
  const move = (place) => {
    target = place;
    pointer.notify_absolute_motion(now(), ...target);
  };

  let colour = '';
  let target = [];
  globalThis.clients = {
    text: (text) => Boolean(shown((actor) => actor instanceof St.Label && actor.text === text)),
    texts: () => all(global.stage).filter((actor) => actor.mapped && actor instanceof St.Label).map((actor) => actor.text),
    icon: (name) => Boolean(icon(name)),
    // Whether the icon that shows a file has a colour. The picture is read asynchronously: this compares that of the call before.
    cover: (expected) => {
      const cover = shown((actor) => actor instanceof St.Icon && actor.gicon?.get_file);
      if (!cover) return false;
      const screenshot = new Shell.Screenshot();
      screenshot.pick_color(...centre(cover), (_, result) => {
        const [, { red, green, blue }] = screenshot.pick_color_finish(result);
        colour = [red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('');
      });
      return colour === expected;
    },
    // The titles of all notifications, and whether a banner shows a text.
    notifications: () => Main.messageTray.getSources().flatMap((source) => source.notifications.map(({ title }) => title)),
    banner: (text) => Boolean(inBanner(text)),
    // Moves the pointer to an icon, or to a text of a banner; a click in the same call would be one at the place before. GNOME 51 may
    // keep it at the upper edge, until it is moved again.
    point: (name) => move(centre(icon(name))),
    pointToBanner: (text) => move(centre(inBanner(text))),
    pointAway: () => move([1, 700]),
    isPointed: () => global.get_pointer().slice(0, 2).every((value, axis) => Math.round(value) === target[axis]),
    click: () => {
      pointer.notify_button(now(), Clutter.BUTTON_PRIMARY, Clutter.ButtonState.PRESSED);
      pointer.notify_button(now(), Clutter.BUTTON_PRIMARY, Clutter.ButtonState.RELEASED);
    },
    // Keys are codes of evdev.
    keys: (...codes) => {
      codes.forEach((code) => keyboard.notify_key(now(), code, Clutter.KeyState.PRESSED));
      codes.reverse().forEach((code) => keyboard.notify_key(now(), code, Clutter.KeyState.RELEASED));
    },
  };
  // A notification is shown until the user is active.
  clients.pointAway();
  return true;
})()
