/** Tests built from recorded runs: record once with real models, replay without them for ever. */
@NullMarked
package dev.chargehand.testkit.replay;

import org.jspecify.annotations.NullMarked;
