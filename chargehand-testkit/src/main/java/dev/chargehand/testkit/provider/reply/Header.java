package dev.chargehand.testkit.provider.reply;

/** One header line of a reply, unchecked. */
record Header(String name, String value) {}
