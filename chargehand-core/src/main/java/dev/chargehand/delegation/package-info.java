/** How a supervisor's delegations are controlled: what is handed over, what is refused, and what becomes of the result. */
@NullMarked
package dev.chargehand.delegation;

import org.jspecify.annotations.NullMarked;
