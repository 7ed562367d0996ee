#!/usr/bin/env bash
# What lifecycle.status --brief says, by one grep over all machines: role, state, since, compactions.
grep -hE '^STATE_(ROLE|CURRENT|SINCE|COMPACTIONS)=' session/stateMachines/*.states.env | cut -d= -f2- | paste - - - -
