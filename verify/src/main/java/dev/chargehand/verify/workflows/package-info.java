/** Random workflows, held against a small interpreter of their definitions. */
@NullMarked
package dev.chargehand.verify.workflows;

import org.jspecify.annotations.NullMarked;
