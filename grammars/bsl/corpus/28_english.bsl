Function Run(Items) Export
	For Each Item In (Items) Do
		While (Item.Next()) Do Raise; EndDo;
		Result = New File(Item.Procedure).Exist() And Not(Item.New);
		Execute((Item.Execute()));
	EndDo;
	Return(Result);
EndFunction
