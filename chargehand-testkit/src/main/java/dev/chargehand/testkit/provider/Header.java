package dev.chargehand.testkit.provider;

/** One header line of a reply, unchecked. */
record Header(String name, String value) {}
