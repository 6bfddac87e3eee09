/** Values that describe a run: its ids, where it stands, what it used, what bounds it and why it ended. */
@NullMarked
package dev.chargehand.run;

import org.jspecify.annotations.NullMarked;
