/** Background delegations: which callees of an agent may be tasks, the tasks themselves, and how many run at once. */
@NullMarked
package dev.chargehand.background;

import org.jspecify.annotations.NullMarked;
