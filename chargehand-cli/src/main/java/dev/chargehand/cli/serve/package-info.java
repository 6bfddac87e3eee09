/** The commands around the server: it starts, and its keys. */
@NullMarked
package dev.chargehand.cli.serve;

import org.jspecify.annotations.NullMarked;
